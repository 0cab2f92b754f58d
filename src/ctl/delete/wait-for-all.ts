import { isReason } from '../../machinery/errors/index.ts';
import { type DoomedTarget, waitUntilGone } from '../changes/delete-target.ts';
import type { Ctl } from '../ctl.ts';

const eraseLine = '\r\u001b[K';

/** Waits until all objects are gone. On a terminal a line says what is waited for, and what holds it. */
export async function waitForAll(
  ctl: Ctl,
  targets: readonly DoomedTarget[],
  timeoutMs: number,
): Promise<void> {
  const { stderr } = ctl.io;
  let isLineShown = false;
  const showLine = (text: string) => {
    if (!stderr.isTerminal) return;
    stderr.write(eraseLine + text);
    isLineShown = text !== '';
  };
  try {
    for (const [index, target] of targets.entries()) {
      const onProgress = (finalizers: readonly string[]) => {
        const holders = finalizers.length === 0 ? '' : ` (finalizers: ${finalizers.join(', ')})`;
        showLine(
          `waiting for ${target.resource.name}/${target.name} to be gone, ${index + 1} of ${targets.length}${holders}`,
        );
      };
      await waitUntilGone(ctl, target, { timeoutMs, onProgress });
    }
  } catch (error) {
    // Who may delete but not read cannot see the end.
    if (!isReason(error, 'Forbidden') && !isReason(error, 'MethodNotAllowed')) throw error;
  } finally {
    if (isLineShown) showLine('');
  }
}
