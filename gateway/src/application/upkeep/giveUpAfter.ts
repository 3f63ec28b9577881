/**
 * The result of a call that takes no signal, or an error when it takes longer than so many ms. The call
 * itself is left to end by itself, and what becomes of it is not heard.
 */
export async function giveUpAfter<T>(ms: number, call: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new DOMException(`no answer within ${ms} ms`, 'TimeoutError'));
  }, ms);
  try {
    return await Promise.race([call, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
