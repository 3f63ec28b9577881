import { APICallError } from '@ai-sdk/provider';

/** The error of a package whose API gave a response that it cannot read. */
export function unreadableResponse(
  url: string,
  message: string,
  statusCode = 200,
  responseBody?: string,
): APICallError {
  return new APICallError({
    message,
    url,
    requestBodyValues: {},
    statusCode,
    ...(responseBody !== undefined && { responseBody }),
  });
}

/** The metadata of a response that nothing reads. */
export const noResponse = (modelId: string) => ({
  timestamp: new Date(0),
  modelId,
  headers: undefined,
});
