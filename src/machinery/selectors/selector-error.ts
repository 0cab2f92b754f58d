/** A selector that cannot be understood; the message is apimachinery's and goes to the client as a 400. */
export class SelectorError extends Error {
  override readonly name = 'SelectorError';
}
