import Mocha from 'mocha';

/** Each test, as usual; at the end also those that held at a second try only, with what the first one ran into. */
export default class Reporter extends Mocha.reporters.Spec {
  readonly #retried = new Map<string, string>();

  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    runner.on('retry', (test, error: Error) => this.#retried.set(test.fullTitle(), error.message));
  }

  override epilogue(): void {
    super.epilogue();
    if (this.#retried.size === 0) return;
    console.log(`  ${this.#retried.size} tried twice\n`);
    for (const [title, message] of this.#retried)
      console.log(`    ${title}:\n      ${message.split('\n', 1)[0]}`);
  }
}
