import { requireIdempotencyKey } from './core/options.ts';
import { download, type DownloadedFile, type DownloadOptions } from './download.ts';
import { PriceLimitError } from './errors.ts';
import type {
  CreateImage,
  CreateVideo,
  CreditBalance,
  EffectiveImageParameters,
  EffectiveVideoParameters,
  Generation,
  Model,
  Output,
} from './generated/api.ts';
import { listModels, loadPrice } from './models.ts';
import type { PriceParameters } from './price.ts';
import { readGeneration, send } from './request.ts';
import { completeSettings, type FramegateOptions, type Settings } from './settings.ts';
import type { StreamTarget } from './sink.ts';
import { deadlineOf, type WaitOptions, waitUntilCompleted } from './wait.ts';

/** Options of a create request. */
export interface CreateOptions {
  /**
   * A distinct value for each intended generation, such as an order id: repeating the call with the same key returns
   * the same generation for seven days, even after a restart. Without it, a new key is generated for the call and kept
   * for its retries.
   */
  idempotencyKey?: string | undefined;
  /** Refuses a higher price before anything is created. */
  maxCredits?: number | undefined;
  /** Ends the call; a created generation continues. */
  signal?: AbortSignal | undefined;
}

/** Options of a create request with a wait; the time counts from the call. */
export type CreateAndWaitOptions = CreateOptions & WaitOptions;

/** A completed generation with its files. */
export type CompletedGeneration<P = EffectiveVideoParameters | EffectiveImageParameters> =
  Generation & {
    status: 'completed';
    completed_at: string;
    parameters: P;
    output: Output;
    /**
     * Downloads a file to a path or a stream, without the API key. An interrupted download resumes where it broke, even
     * in a later call with the same path.
     * @throws DownloadError, AbortError
     */
    download(target: string | StreamTarget, options?: DownloadOptions): Promise<DownloadedFile>;
  };
/** A finished video. */
export type CompletedVideo = CompletedGeneration<EffectiveVideoParameters>;
/** Finished images. */
export type CompletedImages = CompletedGeneration<EffectiveImageParameters>;

/** Creates generations of one kind. */
class Creations<B extends CreateVideo | CreateImage, C extends CompletedGeneration> {
  readonly #settings: Settings;
  readonly #path: string;

  constructor(settings: Settings, path: string) {
    this.#settings = settings;
    this.#path = path;
  }

  /**
   * Creates a generation, which is charged now and continues at the service.
   * @throws PriceLimitError, ApiError, ConnectionError, UnexpectedResponseError, UsageError, AbortError
   */
  async create(body: B, options: CreateOptions = {}): Promise<Generation> {
    return (await create(this.#settings, { path: this.#path, body, options })).generation;
  }

  /**
   * Creates a generation and waits until it has completed.
   * @throws GenerationFailedError, WaitTimeoutError, and all that `create` throws.
   */
  async createAndWait(body: B, options: CreateAndWaitOptions = {}): Promise<C> {
    const settings = this.#settings;
    const deadlineAt = deadlineOf(settings, options);
    const request = { path: this.#path, body, options, deadlineAt };
    const { generation, isReplayed, idempotencyKey } = await create(settings, request);
    const { id } = generation;
    // The stored first response has the state at that time.
    const first = isReplayed ? undefined : generation;
    const wait = { ...options, deadlineAt, createdBy: idempotencyKey };
    const last = await waitUntilCompleted(settings, id, wait, first);
    return withDownload<C>(settings, last);
  }
}

/** The API for one key. */
export class Framegate {
  readonly videos: Creations<CreateVideo, CompletedVideo>;
  readonly images: Creations<CreateImage, CompletedImages>;
  readonly #settings: Settings;

  /** @throws UsageError for unusable settings, and in browsers. */
  constructor(options: FramegateOptions = {}) {
    this.#settings = completeSettings(options);
    this.videos = new Creations(this.#settings, '/videos');
    this.images = new Creations(this.#settings, '/images');
  }

  readonly generations = {
    /** Reads a generation. @throws ApiError, ConnectionError, UnexpectedResponseError, AbortError */
    get: (id: string, options: { signal?: AbortSignal } = {}): Promise<Generation> =>
      readGeneration(this.#settings, id, options),

    /**
     * Waits until a generation has completed; also resumes a wait from the id alone.
     * @throws GenerationFailedError, WaitTimeoutError, ApiError, AbortError
     */
    wait: async (id: string, options: WaitOptions = {}): Promise<CompletedGeneration> => {
      const deadlineAt = deadlineOf(this.#settings, options);
      const last = await waitUntilCompleted(this.#settings, id, { ...options, deadlineAt });
      return withDownload(this.#settings, last);
    },
  };

  readonly models = {
    /** The models of the key, with their parameters and prices. */
    list: (options: { signal?: AbortSignal } = {}): Promise<Model[]> =>
      listModels(this.#settings, options.signal),
  };

  readonly credits = {
    /** Available credits. */
    balance: async (options: { signal?: AbortSignal } = {}): Promise<CreditBalance> => {
      const call = { path: '/credits/balance', object: 'credit_balance', signal: options.signal };
      return (await send<CreditBalance>(this.#settings, call)).body;
    },
  };

  /**
   * The cost of a create request in credits, at this key's prices.
   * @param model Id of a model.
   * @throws UsageError for values that are not offered.
   */
  price(model: string, parameters: PriceParameters = {}): Promise<number> {
    return loadPrice(this.#settings, { model, parameters });
  }
}

interface CreateCall {
  path: string;
  body: CreateVideo | CreateImage;
  options: CreateOptions;
  /** End of a wait for the generation, on the platform's clock; limits are waited out until then. */
  deadlineAt?: number;
}

async function create(settings: Settings, { path, body, options, deadlineAt }: CreateCall) {
  const { maxCredits, signal } = options;
  const idempotencyKey = requireIdempotencyKey(
    options.idempotencyKey ?? settings.platform.newKey(),
  );
  // Once, so that all attempts send the same bytes even if the caller changes the object.
  const request = { body: JSON.stringify(body), idempotencyKey };
  if (maxCredits !== undefined) {
    const credits = await loadPrice(settings, body, signal);
    // Also true for NaN, which means a wrongly computed limit.
    if (!(credits <= maxCredits)) throw new PriceLimitError(credits, maxCredits);
  }
  const call = { path, object: 'generation', create: request, signal, deadlineAt };
  const { body: generation, headers } = await send<Generation>(settings, call);
  const isReplayed = headers.get('idempotent-replayed') === 'true';
  settings.log.info(`created ${generation.id}`);
  return { generation, isReplayed, idempotencyKey };
}

/** The record as received, with a method that JSON ignores. */
function withDownload<C extends CompletedGeneration>(
  settings: Settings,
  generation: Generation,
): C {
  const downloadTo: CompletedGeneration['download'] = (target, options) =>
    download(settings, generation, target, options);
  return Object.defineProperty(generation, 'download', { value: downloadTo }) as C;
}
