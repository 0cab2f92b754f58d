import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import type { Clock } from '../../../../src/base/index.ts';
import { LiveScreen } from '../../../../src/ctl/live-table/live-screen.ts';
import { SimulatedTime } from '../../../support/simulated-time.ts';
import { ScreenEmulator } from './screen-emulator.ts';

/** A screen on an emulated terminal, which shows `picture` and the size that it was drawn for. */
class Setting {
  readonly time = new SimulatedTime();
  readonly keys = new PassThrough();
  readonly failures: unknown[] = [];
  size = { columns: 20, rows: 8 };
  emulator = new ScreenEmulator(this.size);
  picture = 'first';
  /** When anything was written, in milliseconds since the start. */
  readonly writesAtMs: number[] = [];
  /** How long the terminal takes for a write. */
  writeMs = 0;
  #lagMs = 0;
  failure: Error | undefined;
  resize = () => {};
  readonly screen: LiveScreen;

  constructor() {
    const timers = this.time.clockOf(this);
    const clock: Clock = { nowMs: () => this.time.nowMs + this.#lagMs, setTimer: timers.setTimer };
    const input = {
      isTerminal: true,
      open: () => this.keys,
      setRawMode: () => {},
      size: () => this.size,
      onResize: (callback: () => void) => {
        this.resize = callback;
        return () => {
          this.resize = () => {};
        };
      },
    };
    const write = (text: string | Uint8Array): void => {
      if (this.failure !== undefined) throw this.failure;
      this.#lagMs += this.writeMs;
      this.writesAtMs.push(this.time.nowMs - this.time.beginMs);
      this.emulator.write(String(text));
    };
    this.screen = new LiveScreen(
      { stdout: { isTerminal: true, write }, input, clock },
      {
        compose: ({ size, isLast = false }) => [
          this.picture,
          `${size.columns}x${size.rows}${isLast ? ' last' : ''}`,
        ],
        size: this.size,
        onFailure: (error) => this.failures.push(error),
      },
    );
  }
}

describe('LiveScreen', () => {
  let setting: Setting;
  beforeEach(() => {
    setting = new Setting();
  });
  afterEach(() => {
    setting.failure = undefined;
    setting.screen.stop();
    expect(setting.time.pending(setting)).to.equal(0);
  });

  it('draws changes that come close together as one, ten times a second at most', async () => {
    const { screen, time, writesAtMs } = setting;
    screen.start();
    await time.pass(10);
    for (let change = 0; change < 50; change++) {
      setting.picture = `change ${change}`;
      screen.update();
      await time.pass(10);
    }
    await time.pass(100);
    expect(setting.emulator.lines[0]).to.equal('change 49');
    expect(writesAtMs.length).to.be.within(5, 7);
  });

  it('gives a terminal that is slow more time', async () => {
    const { screen, time, writesAtMs } = setting;
    setting.writeMs = 300;
    screen.start();
    await time.pass(10);
    setting.picture = 'second';
    screen.update();
    await time.pass(1100);
    expect(writesAtMs).to.have.length(1);
    await time.pass(200);
    expect(writesAtMs).to.have.length(2);
  });

  it('draws again for another size, on an empty screen', async () => {
    const { screen, time } = setting;
    screen.start();
    await time.pass(10);
    setting.size = { columns: 10, rows: 5 };
    setting.emulator.write('$ rest of other lines');
    setting.resize();
    expect(setting.emulator.lines.slice(0, 3)).to.deep.equal(['first', '10x5', '']);
  });

  it('goes on below after the return key', async () => {
    const { screen, time, keys } = setting;
    screen.start();
    await time.pass(10);
    setting.emulator.write('\r\n'); // what the terminal itself shows of it
    keys.write('\n');
    await time.pass(10);
    expect(setting.emulator.lines.slice(0, 5)).to.deep.equal(['first', '20x8', '', 'first', '20x8']);
  });

  it('leaves the last picture and follows nothing any more', async () => {
    const { screen, time, keys } = setting;
    screen.start();
    await time.pass(10);
    screen.stop();
    screen.update();
    await time.pass(5000);
    expect(setting.emulator.lines.slice(0, 3)).to.deep.equal(['first', '20x8 last', '']);
    expect(setting.emulator.cursor).to.deep.equal({ row: 2, column: 0 });
    expect(keys.destroyed).to.equal(true);
    expect(process.listenerCount('SIGCONT')).to.equal(0);
  });

  it('tells when nobody sees it any more', async () => {
    setting.failure = new Error('gone');
    setting.screen.start();
    await setting.time.pass(10);
    expect(setting.failures).to.deep.equal([setting.failure]);
  });
});
