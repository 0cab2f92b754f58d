import { ContainerConfigError } from './config-error.ts';

/**
 * Characters that one container's environment, or its command and arguments, may have once references are replaced.
 * Linux starts no process with more than 6 MiB of both; references to references could make any amount.
 */
export const maxExpandedLength = 6 * 1024 * 1024;

/**
 * Replaces each `$(NAME)` by what `resolve` gives; `$$` becomes `$`, and an unfinished reference stays. Replaced text is
 * not looked at again. Takes time linear in the lengths of text and result.
 *
 * @throws ContainerConfigError when the result has more than `maxLength` characters.
 */
export function expandVariables(
  text: string,
  resolve: (name: string) => string,
  maxLength = maxExpandedLength,
): string {
  let result = '';
  let done = 0;
  let lastCloser: number | undefined;
  for (let at = text.indexOf('$'); at >= 0 && at + 1 < text.length; at = text.indexOf('$', done)) {
    result += text.slice(done, at);
    const next = text.charAt(at + 1);
    done = at + 2;
    if (next === '$') result += '$';
    else if (next !== '(') result += `$${next}`;
    else {
      // Looked for once: a text of many openings without a closing would cost quadratic time.
      lastCloser ??= text.lastIndexOf(')');
      if (lastCloser < done) result += '$(';
      else {
        const closer = text.indexOf(')', done);
        result += resolve(text.slice(done, closer));
        done = closer + 1;
      }
    }
    assertLength(result, maxLength);
  }
  result += text.slice(done);
  assertLength(result, maxLength);
  return result;
}

/** What a reference becomes: the value, or itself where there is none. */
export function referenceValue(name: string, value: string | undefined): string {
  return value ?? `$(${name})`;
}

function assertLength(text: string, maxLength: number): void {
  if (text.length > maxLength) {
    throw new ContainerConfigError(
      `expanded variables are too long: at most ${maxExpandedLength} characters in all`,
    );
  }
}
