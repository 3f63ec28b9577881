import { isJsonObject } from '@framegate/contract';

/** The value if it is a JSON object, else an empty object. */
export function jsonObject(value: unknown): Record<string, unknown> {
  return isJsonObject(value) ? value : {};
}

/** The unchecked parts of ROUTES_FILE or MODELS_FILE; those that are missing or not objects are empty. */
export function fileParts(content: unknown) {
  const whole = jsonObject(content);
  const { providers, models, groups } = whole;
  return {
    whole,
    providers: jsonObject(providers),
    models: jsonObject(models),
    groups: jsonObject(groups),
  };
}
