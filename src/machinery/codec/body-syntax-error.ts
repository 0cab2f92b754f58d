import { badRequest, type StatusError } from '../errors/index.ts';

/** A body that cannot be read. The message is apimachinery's, without the sentence around it. */
export class BodySyntaxError extends SyntaxError {
  override readonly name = 'BodySyntaxError';
  /** Line and column, from 1, of a text that is no YAML; undefined when nobody knows. */
  readonly place: { readonly line: number; readonly column: number } | undefined;

  constructor(message: string, place?: BodySyntaxError['place']) {
    super(message);
    this.place = place;
  }
}

const summaryBytes = 30;

/** The first bytes of a body as apimachinery shows them: text when it starts like JSON, else hexadecimal. */
function summarize(body: Buffer): string {
  if (body.length === 0) return '<empty>';
  const head = body.subarray(0, summaryBytes);
  const text = body[0] === 0x7b ? head.toString('utf8') : head.toString('hex');
  return body.length > summaryBytes ? `${text} ...` : text;
}

/** 400 for a body that is no object at all; `detail` is what its decoder says. */
export function unrecognizedObject(expectedKind: string, detail: string, body: Buffer): StatusError {
  return badRequest(
    `the object provided is unrecognized (must be of type ${expectedKind}): ${detail} (${summarize(body)})`,
  );
}
