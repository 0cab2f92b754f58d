/** What a promise is rejected with; the test fails when it is not, or with what is no error. */
export async function failureOf(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) return error;
    throw new TypeError(`an Error was expected, but this was thrown: ${String(error)}`);
  }
  throw new Error('a failure was expected, but nothing failed');
}
