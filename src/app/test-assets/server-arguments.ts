import { type OptionSpec, OptionsError } from '../../config/index.ts';
import { otherReferenceOptions, serveOptions } from '../../config/serve/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';

/** The command line of a server, and flags of the reference that it does without. */
export interface TestServerArguments {
  readonly argv: readonly string[];
  readonly ignored: readonly string[];
}

/** Those of `orch serve`, and those of the reference that do nothing there. */
export const allOptions: readonly OptionSpec[] = [...serveOptions, ...otherReferenceOptions];

/** A store that is none, and a port that release 1.20 does not open either. */
const isIgnored = ({ name, withoutEffect, unsupported }: OptionSpec): boolean =>
  withoutEffect === true || unsupported === true || /^etcd-|^storage-backend$/.test(name);

/**
 * Turns the command line of the reference's server into that of `orch serve`: flags that do nothing here are taken out.
 *
 * @throws OptionsError for a port without TLS, which release 1.20 refuses too.
 */
export function testServerArguments(argv: readonly string[], dialect: Dialect): TestServerArguments {
  const options = new Map(allOptions.map((option) => [option.name, option]));
  const kept: string[] = [];
  const ignored: string[] = [];
  for (let at = 0; at < argv.length; at++) {
    // Helpers fill templates that may come to nothing; the reference passes over empty arguments, too.
    if (argv[at] === '') continue;
    const [, name = '', value] = /^--([^=]+)(?:=(.*))?$/s.exec(argv[at] ?? '') ?? [];
    const plain = name.replaceAll('_', '-');
    const option = options.get(plain) ?? options.get(dialect.unspell(plain));
    const isAlone = value !== undefined || option === undefined || option.type === 'bool';
    const words = argv.slice(at, isAlone ? at + 1 : at + 2);
    at += words.length - 1;
    if (option?.name === 'insecure-port') requireZero(value ?? words[1] ?? '');
    if (option !== undefined && isIgnored(option)) ignored.push(`--${name}`);
    else kept.push(...words);
  }
  return { argv: [...kept, `--dialect=${dialect.name}`, '--ephemeral', '--write-orchconfig=false'], ignored };
}

function requireZero(port: string): void {
  if (port === '0' || port === '') return;
  throw new OptionsError([
    `--insecure-port=${port}: only zero is allowed; the server is reached over TLS at --secure-port`,
  ]);
}
