// Command play makes a video, images, a failure and a refusal with the client that was generated.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"play/framegate"
)

var client *framegate.ClientWithResponses

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// ended polls until a generation has ended; the hints are for real services.
func ended(generation *framegate.Generation) any {
	for {
		kind := must(generation.ValueByDiscriminator())
		var state any
		switch one := kind.(type) {
		case framegate.VideoGeneration:
			state = must(one.ValueByDiscriminator())
		case framegate.ImageGeneration:
			state = must(one.ValueByDiscriminator())
		}
		var id string
		switch pending := state.(type) {
		case framegate.PendingVideo:
			id = pending.Id
		case framegate.PendingImages:
			id = pending.Id
		default:
			return state
		}
		time.Sleep(200 * time.Millisecond)
		generation = must(client.GetGenerationWithResponse(context.Background(), id)).JSON200
	}
}

func download(url string) int {
	answer := must(http.Get(url))
	defer answer.Body.Close()
	return len(must(io.ReadAll(answer.Body)))
}

func video(prompt string) *framegate.CreateVideoResponse {
	resolution := framegate.VideoParametersResolutionN480p
	body := framegate.CreateVideo{
		Model:      "alpha-2.0-fast",
		Mode:       framegate.CreateVideoModeTextToVideo,
		Prompt:     prompt,
		Parameters: &framegate.VideoParameters{Resolution: &resolution},
	}
	params := &framegate.CreateVideoParams{IdempotencyKey: "go-" + strings.ReplaceAll(prompt, " ", "-")}
	return must(client.CreateVideoWithResponse(context.Background(), params, body))
}

func main() {
	ctx := context.Background()
	key := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("FRAMEGATE_KEY"))
		return nil
	}
	client = must(framegate.NewClientWithResponses(os.Getenv("FRAMEGATE_URL"), framegate.WithRequestEditorFn(key)))

	models := must(client.ListModelsWithResponse(ctx)).JSON200.Data
	perSecond := must(models[0].Pricing.AsVideoPricing())
	perImage := must(models[len(models)-1].Pricing.AsImagePricing())

	made := ended(video("A paper boat").JSON202).(framegate.CompletedVideo)
	failed := ended(video("It shall fail").JSON202).(framegate.FailedVideo)
	body := framegate.CreateImage{Model: "image-b-2", Prompt: "A lighthouse"}
	params := &framegate.CreateImageParams{IdempotencyKey: "go-image"}
	images := ended(must(client.CreateImageWithResponse(ctx, params, body)).JSON202).(framegate.CompletedImages)
	refused := must(client.GetGenerationWithResponse(ctx, "gen_none")).JSON404.Error

	fmt.Println(string(must(json.Marshal(map[string]any{
		"video":      download(*made.Output.VideoUrl) > 1000,
		"seconds":    made.Parameters.DurationSeconds,
		"image":      download(images.Output.ImageUrls[0]) > 1000,
		"format":     images.Parameters.OutputFormat,
		"failed":     failed.Error.Code,
		"refunded":   *failed.Billing.RefundedCredits,
		"refused":    refused.Code,
		"per_second": perSecond.Credits["720p"],
		"per_image":  perImage.Credits["2k"],
	}))))
}
