//go:build gateway

package framegate

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/framegate/framegate-go/api"
)

// connect makes a client of the gateway that the environment names; its pauses are short.
func connect(t *testing.T) *Client {
	t.Helper()
	client, err := New(os.Getenv("FRAMEGATE_URL"), os.Getenv("FRAMEGATE_KEY"))
	if err != nil {
		t.Fatal("FRAMEGATE_URL and FRAMEGATE_KEY must name a gateway:", err)
	}
	client.sleep = func(ctx context.Context, pause time.Duration) error {
		return sleep(ctx, min(pause, 200*time.Millisecond))
	}
	return client
}

func boat(prompt string) api.CreateVideo {
	return api.CreateVideo{Model: "alpha-2.0-fast", Mode: api.CreateVideoModeTextToVideo, Prompt: prompt}
}

func TestAVideoIsMadeAndPaidOnceWhateverTheLineDoes(t *testing.T) {
	client := connect(t)
	made, err := client.CreateVideo(t.Context(), "go-boat", boat("A paper boat"))
	if err != nil {
		t.Fatal(err)
	}
	done, err := client.Wait(t.Context(), made.ID)
	if err != nil || done.Billing.CostCredits != made.Billing.CostCredits {
		t.Fatal(done, err)
	}
	response, err := http.Get(done.Output.URLs[0])
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if file, err := io.ReadAll(response.Body); err != nil || string(file[4:8]) != "ftyp" {
		t.Fatal(len(file), err)
	}
	again, err := client.CreateVideo(t.Context(), "go-boat", boat("A paper boat"))
	if err != nil || again.ID != made.ID {
		t.Fatal(again, err)
	}
	read, err := client.Get(t.Context(), made.ID)
	if err != nil || read.Status != Completed {
		t.Fatal(read, err)
	}
	var record api.VideoGeneration
	if err := json.Unmarshal(read.Record, &record); err != nil {
		t.Fatal(err)
	}
	if video, err := record.AsCompletedVideo(); err != nil || video.Parameters.DurationSeconds != 5 {
		t.Fatal(video, err)
	}
}

func TestPricesAreOfTheGeneratedTypes(t *testing.T) {
	response, err := connect(t).API.ListModels(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := api.ParseListModelsResponse(response)
	if err != nil {
		t.Fatal(err)
	}
	models := parsed.JSON200.Data
	perSecond, err := models[0].Pricing.AsVideoPricing()
	if err != nil || perSecond.Credits["720p"] != 10 {
		t.Fatal(perSecond, err)
	}
	perImage, err := models[len(models)-1].Pricing.AsImagePricing()
	if err != nil || perImage.Credits["2k"] != 9 {
		t.Fatal(perImage, err)
	}
}

func TestImages(t *testing.T) {
	client := connect(t)
	number := 2
	made, err := client.CreateImage(t.Context(), "go-image", api.CreateImage{
		Model:      "image-b-2",
		Prompt:     "A lighthouse",
		Parameters: &api.ImageParameters{N: &number},
	})
	if err != nil {
		t.Fatal(err)
	}
	done, err := client.Wait(t.Context(), made.ID)
	if err != nil || len(done.Output.URLs) != number {
		t.Fatal(done, err)
	}
}

func TestAFailureOfTheProviderAndARefusal(t *testing.T) {
	client := connect(t)
	made, err := client.CreateVideo(t.Context(), "go-failure", boat("It shall fail"))
	if err != nil {
		t.Fatal(err)
	}
	var why *FailedError
	if _, err = client.Wait(t.Context(), made.ID); !errors.As(err, &why) || why.Generation.Billing.Status != "refunded" {
		t.Fatal(err)
	}
	var refusal *APIError
	_, err = client.Get(t.Context(), "gen_01kagw2m5t9x3q7r8v4c6e0hjn")
	if !errors.As(err, &refusal) || refusal.Code != "generation_not_found" || refusal.RequestID == "" {
		t.Fatal(err)
	}
}
