import { expect } from 'chai';
import fc from 'fast-check';
import { clearScreen, paint } from '../../../../src/ctl/live-table/paint.ts';
import { ScreenEmulator } from './screen-emulator.ts';

const size = { columns: 12, rows: 7 };
/** Longer lines than the terminal has columns among them: widths of characters are not the same everywhere. */
const frame = fc.array(fc.stringMatching(/^[a-c ]{0,15}$/), { maxLength: size.rows - 1 });

describe('paint', () => {
  it('leaves on the screen what painting all of it would', () => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 8 }), fc.nat(8), (frames, linesBefore) => {
        const screen = new ScreenEmulator(size);
        for (let line = 0; line < linesBefore; line++) screen.write(`$ ${line}\r\n`);
        let shown: readonly string[] = [];
        for (const next of frames) {
          screen.write(paint(shown, next));
          shown = next;
          const { row, column } = screen.cursor;
          expect(column).to.equal(0);
          expect([screen.isCursorVisible, screen.wraps]).to.deep.equal([true, true]);
          const whole = new ScreenEmulator(size);
          whole.write(paint([], next));
          expect(screen.lines.slice(row - next.length, row)).to.deep.equal(whole.lines.slice(0, next.length));
          expect(screen.lines.slice(row).join('')).to.equal('');
        }
      }),
    );
  });

  it('leaves what was above', () => {
    const screen = new ScreenEmulator(size);
    screen.write('$ ctl\r\n');
    screen.write(paint([], ['a', 'b']));
    screen.write(paint(['a', 'b'], ['c']));
    expect(screen.lines.slice(0, 3)).to.deep.equal(['$ ctl', 'c', '']);
  });

  it('writes lines that differ only, and nothing for the same frame', () => {
    expect(paint(['a', 'b', 'c'], ['a', 'B', 'c']))
      .to.include('B')
      .and.not.include('a')
      .and.not.include('c');
    expect(paint(['a'], ['a'])).to.equal('');
  });

  it('takes away what was typed below the picture', () => {
    const screen = new ScreenEmulator(size);
    screen.write(paint([], ['a']));
    screen.write('xyz');
    screen.write(paint(['a'], ['b']));
    expect(screen.lines.slice(0, 2)).to.deep.equal(['b', '']);
  });

  it('begins at the top of a screen that was cleared', () => {
    const screen = new ScreenEmulator(size);
    screen.write('$ ctl\r\nrest');
    screen.write(clearScreen + paint([], ['a']));
    expect(screen.lines.slice(0, 2)).to.deep.equal(['a', '']);
  });
});
