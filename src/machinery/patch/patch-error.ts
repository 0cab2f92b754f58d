/**
 * Why a patch failed: `bad-patch` is no patch at all (400), `too-many-operations` is above the limit (413);
 * `missing-path`, `test-failed`, `bad-operation`, `copy-too-large` and `list-of-lists` do not fit the document (422);
 * `not-mergeable` is what evanphx/json-patch has no better word for than its own failure (500).
 */
export type PatchErrorCode =
  | 'bad-patch'
  | 'too-many-operations'
  | 'missing-path'
  | 'test-failed'
  | 'bad-operation'
  | 'copy-too-large'
  | 'list-of-lists'
  | 'not-mergeable';

/** A patch that cannot be applied. Recognised by `code`. */
export class PatchError extends Error {
  override readonly name = 'PatchError';
  readonly code: PatchErrorCode;

  constructor(code: PatchErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
