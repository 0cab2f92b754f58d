const csi = '\u001b[';
// While it is drawn the cursor is hidden, and a line that the terminal takes for longer than it is does not wrap.
const begin = `${csi}?25l${csi}?7l`;
const end = `${csi}?7h${csi}?25h`;
const eraseLine = `${csi}2K`;
const eraseBelow = `${csi}J`;

/** Empties the screen and goes to its upper left corner. */
export const clearScreen = `${csi}H${csi}2J`;

/**
 * What turns one frame on the screen into the next, with the cursor on the line below each; empty where they are the same.
 * Only lines that differ are written.
 */
export function paint(before: readonly string[], after: readonly string[]): string {
  const isSame = before.length === after.length && after.every((line, index) => line === before[index]);
  if (isSame) return '';
  let text = `${begin}\r${before.length > 0 ? `${csi}${before.length}A` : ''}`;
  let skipped = 0;
  for (const [index, line] of after.entries()) {
    if (index < before.length && before[index] === line) {
      skipped++;
      continue;
    }
    if (skipped > 0) text += `${csi}${skipped}B`;
    skipped = 0;
    // Erased first: behind a full line the cursor stands on its last character.
    text += `${eraseLine}${line}\r\n`;
  }
  if (skipped > 0) text += `${csi}${skipped}B`;
  return `${text}${eraseBelow}${end}`;
}
