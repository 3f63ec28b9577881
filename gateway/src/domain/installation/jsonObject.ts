/** The value if it is a JSON object, else an empty object. */
export function jsonObject(value: unknown): Record<string, unknown> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : {};
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
