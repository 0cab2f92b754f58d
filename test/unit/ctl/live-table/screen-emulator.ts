/** The part of a terminal that pictures are drawn with; anything else that is written fails. */
export class ScreenEmulator {
  readonly #columns: number;
  readonly #rows: number;
  #cells: string[][];
  #row = 0;
  #column = 0;
  #wraps = true;
  isCursorVisible = true;

  constructor({ columns, rows }: { readonly columns: number; readonly rows: number }) {
    this.#columns = columns;
    this.#rows = rows;
    this.#cells = Array.from({ length: rows }, () => this.#emptyRow());
  }

  /** What is seen, without the blanks at the ends of lines. */
  get lines(): readonly string[] {
    return this.#cells.map((row) => row.join('').trimEnd());
  }

  get cursor(): { readonly row: number; readonly column: number } {
    return { row: this.#row, column: this.#column };
  }

  get wraps(): boolean {
    return this.#wraps;
  }

  write(text: string): void {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what drives a terminal
    for (const [piece] of text.matchAll(/\u001b\[(\??)(\d*)([A-Za-z])|[\s\S]/gu)) {
      if (piece.length > 1 && piece.startsWith('\u001b')) this.#control(piece.slice(2));
      else if (piece === '\r') this.#column = 0;
      else if (piece === '\n') this.#lineFeed();
      else if (piece < ' ') throw new Error(`unexpected ${JSON.stringify(piece)}`);
      else this.#print(piece);
    }
  }

  #control(sequence: string): void {
    const count = Number(/^\d+/.exec(sequence)?.[0] ?? 1);
    const last = sequence.at(-1);
    if (sequence === '?25l' || sequence === '?25h') this.isCursorVisible = sequence.endsWith('h');
    else if (sequence === '?7l' || sequence === '?7h') this.#wraps = sequence.endsWith('h');
    else if (last === 'A') this.#row = Math.max(0, this.#row - count);
    else if (last === 'B') this.#row = Math.min(this.#rows - 1, this.#row + count);
    else if (sequence === 'H') [this.#row, this.#column] = [0, 0];
    else if (sequence === '2J') this.#cells = this.#cells.map(() => this.#emptyRow());
    else if (sequence === '2K') this.#cells[this.#row] = this.#emptyRow();
    else if (sequence === 'J') this.#eraseBelow();
    else if (last !== 'm') throw new Error(`unknown sequence ${sequence}`);
  }

  #eraseBelow(): void {
    this.#cells[this.#row]?.fill(' ', this.#column);
    for (let row = this.#row + 1; row < this.#rows; row++) this.#cells[row] = this.#emptyRow();
  }

  #lineFeed(): void {
    if (this.#row < this.#rows - 1) this.#row++;
    else this.#cells = [...this.#cells.slice(1), this.#emptyRow()];
  }

  #print(character: string): void {
    if (this.#column >= this.#columns) {
      if (this.#wraps) {
        this.#column = 0;
        this.#lineFeed();
      } else this.#column = this.#columns - 1;
    }
    (this.#cells[this.#row] as string[])[this.#column++] = character; // the cursor is always on a row
  }

  #emptyRow(): string[] {
    return Array<string>(this.#columns).fill(' ');
  }
}
