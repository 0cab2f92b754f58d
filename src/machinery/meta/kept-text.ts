const textKey = Symbol('kept JSON text');

/** A value that nobody changes any more, with room for its JSON text, which no reader of the value sees. */
type TextKeeper = object & { [textKey]?: string };

/** Gives a value that is written again and again room for its text. It must never be changed afterwards. */
export function keepText<Value extends object>(value: Value): Value {
  if (!Object.isExtensible(value)) return value;
  return Object.defineProperty(value, textKey, { value: '', writable: true });
}

/** The JSON text of a value; made once where there is room to keep it. */
export function textOf(value: object): string {
  const keeper: TextKeeper = value;
  if (keeper[textKey] === undefined) return JSON.stringify(value);
  keeper[textKey] ||= JSON.stringify(value);
  return keeper[textKey];
}
