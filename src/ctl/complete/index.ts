/**
 * Completion of command lines, for the scripts of the three shells, which call `ctl __complete WORD...` with the words up to
 * the cursor. Nobody has asked for anything yet: nothing is printed but what is offered, nothing is waited for that takes
 * longer than a person would notice, and no credentials are obtained.
 */
import { layerConfig } from '../../config/index.ts';
import { createCtl } from '../ctl.ts';
import { translateName } from '../find-verb.ts';
import type { CtlIo } from '../io.ts';
import { globalOptions } from '../options/global.ts';
import { setUpServer } from '../server-setup.ts';
import { verbs } from '../verbs.ts';
import type { Candidate, Offer } from './candidate.ts';
import { type Line, readLine } from './read-line.ts';
import { offerArguments, offerCommands, offerFlags, offerValues } from './values.ts';

/** Milliseconds for everything, the server included. */
const timeLimitMs = 300;

/**
 * Prints what the last of the words may become: a line for each, with a tab before what it means, and last a line that says
 * what the shell does then: `:words`, `:nospace` (a word goes on), `:files` or `:folders` (it finds those itself).
 */
export async function complete(words: readonly string[], io: CtlIo): Promise<number> {
  const late = new AbortController();
  const signal = AbortSignal.any([io.signal, late.signal]);
  const quiet: CtlIo = { ...io, stderr: { isTerminal: false, write: () => {} }, signal };
  const current = words.at(-1) ?? '';
  let stopTimer = () => {};
  const timeIsUp = new Promise<undefined>((resolve) => {
    stopTimer = io.clock.setTimer(timeLimitMs, () => resolve(undefined));
  });
  // Whatever is wrong, with the line, files or the server: the user will hear of it when the command runs.
  const found = offerAt(words.slice(0, -1), current, quiet).catch(() => undefined);
  const offer = await Promise.race([found, timeIsUp]);
  stopTimer();
  io.stdout.write(formatOffer(offer ?? [], current));
  if (offer === undefined) {
    // Of several requests some may still be on their way.
    late.abort();
    io.endNow?.();
  }
  return 0;
}

async function offerAt(words: readonly string[], current: string, io: CtlIo): Promise<Offer> {
  const line = await readLine(words, current);
  if (line === undefined) return [];
  const { slot, verb } = line;
  if (slot.kind === 'foreign') return 'files';
  if (slot.kind === 'flag') return offerFlags(line);
  if (slot.kind === 'argument' && (verb === undefined || line.isHelp)) return offerCommands(line);
  const ctl = await offhandCtl(line, io);
  try {
    if (slot.kind === 'argument') {
      const commands = await offerCommands(line);
      const values = await offerArguments(ctl, line);
      return typeof values === 'string' ? values : [...commands, ...values];
    }
    const { option, prefix } = slot;
    const values = await offerValues(ctl, line, option, current.slice(prefix.length));
    return typeof values === 'string'
      ? values
      : values.map(({ text, help }) => ({ text: prefix + text, help }));
  } finally {
    ctl.close();
  }
}

/** What verbs work with, for a command that is not complete yet. @throws OptionsError for flags that are wrong */
async function offhandCtl({ options, argv }: Line, io: CtlIo) {
  const own = options.filter((option) => !globalOptions.some((other) => other === option));
  const { config: given } = layerConfig({
    specs: globalOptions,
    others: own,
    argv,
    env: io.env,
    translateName,
  });
  return createCtl({
    io,
    setup: await setUpServer({ io, flags: given, effort: 'kept' }),
    flags: {
      ...given,
      // The limit of all is the only one: whoever hits that may have asked a name server, which nothing else cuts short.
      requestTimeout: '0',
      matchServerVersion: false,
      verbosity: 0,
      vmodule: '',
      logBacktraceAt: ':0',
    },
    commands: Object.keys(verbs),
    isOffhand: true,
  });
}

/** What a shell takes for nothing but a part of a word: names that servers and files chose come through here. */
const plainWord = /^[\w./@%+=,-][\w.:/@%+=,-]*$/;

function formatOffer(offer: Offer, current: string): string {
  if (typeof offer === 'string') return `:${offer}\n`;
  const fitting = offer.filter(({ text }) => text.startsWith(current) && plainWord.test(text));
  const isFlag = current.startsWith('-');
  // A name that begins with a dash would be taken for a flag.
  const safe = fitting.filter(({ text }) => isFlag || !text.startsWith('-'));
  const unique = [...new Map(safe.map((candidate) => [candidate.text, candidate])).values()];
  const goesOn = unique.some(({ text }) => /[=/]$/.test(text));
  return `${unique.map(formatCandidate).join('')}:${goesOn ? 'nospace' : 'words'}\n`;
}

function formatCandidate({ text, help = '' }: Candidate): string {
  return `${text}\t${help.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')}\n`;
}
