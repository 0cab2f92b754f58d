/**
 * Third-party drivers of volumes: programs below a folder, found when they are asked for, called with a command and its
 * arguments, answering with JSON. Knows how drivers are called and what they answer; mounts nothing, and keeps nothing
 * of volumes.
 */

import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { posix } from 'node:path';
import { errorText, type Logger } from '../../base/index.ts';
import type { DriverCommand, VolumeDriver, VolumeDrivers } from './contract.ts';
import { type DriverAnswer, DriverError, parseDriverAnswer } from './driver-answer.ts';
import { redactSecrets } from './driver-options.ts';
import { runDriver } from './run-driver.ts';

/** Where FlexVolume drivers are installed, and how long their commands may take, in ms. */
export interface VolumeDriversOptions {
  /** Folder with one folder `vendor~driver` for each driver, and the program `driver` in it. */
  readonly folder: string;
  readonly logger: Logger;
  /** How long commands may take; the defaults bound what release 1.20 leaves unbounded. */
  readonly timeoutMs?: { readonly init?: number; readonly attached?: number; readonly other?: number };
}

interface Known {
  /** Tells one version of the program from another. */
  readonly version: string;
  readonly driver: Promise<VolumeDriver | undefined>;
}

/** Drivers below a folder. Nothing is looked at before the first question, and what has not changed is not called again. */
export function createVolumeDrivers(options: VolumeDriversOptions): VolumeDrivers {
  const known = new Map<string, Known>();
  return {
    async find(name) {
      const program = programOf(options.folder, name);
      const stats = program === undefined ? undefined : await statProgram(program);
      if (program === undefined || stats === undefined) {
        known.delete(name);
        return undefined;
      }
      const version = `${stats.dev} ${stats.ino} ${stats.mtimeMs} ${stats.size}`;
      const found = known.get(name);
      if (found?.version === version) return found.driver;
      const driver = openDriver(name, program, options);
      known.set(name, { version, driver });
      const opened = await driver;
      // One that could not be used may be usable at the next question.
      if (opened === undefined && known.get(name)?.driver === driver) known.delete(name);
      return opened;
    },
  };
}

/** Where the program of a driver must be; undefined for what is no name of one. Names come from pods. */
export function programOf(folder: string, name: string): string | undefined {
  const folderName = name.replaceAll('/', '~');
  const program = folderName.slice(folderName.lastIndexOf('~') + 1);
  if (folderName.startsWith('.') || program === '' || program.startsWith('.') || /[~\0]/.test(name))
    return undefined;
  return posix.join(folder, folderName, program);
}

async function statProgram(path: string): Promise<Stats | undefined> {
  // Whatever keeps it from being looked at keeps it from being called.
  const stats = await stat(path).catch(() => undefined);
  return stats?.isFile() === true && (stats.mode & 0o111) !== 0 ? stats : undefined;
}

async function openDriver(
  name: string,
  program: string,
  { logger, timeoutMs = {} }: VolumeDriversOptions,
): Promise<VolumeDriver | undefined> {
  const { init = 30_000, attached = 600_000, other = 120_000 } = timeoutMs;
  const limitsMs: Partial<Record<DriverCommand, number>> = { init, waitforattach: attached };
  const missing = new Set<DriverCommand>();
  const call: VolumeDriver['call'] = async (command, args, secrets = []) => {
    if (missing.has(command)) return undefined;
    logger.debug('volume driver call started', { driver: name, command });
    const limitMs = limitsMs[command] ?? other;
    const answer = await callDriver({ program, command, args, secrets, timeoutMs: limitMs });
    if (answer === undefined) missing.add(command);
    return answer;
  };
  try {
    const answer = await call('init', []);
    if (answer === undefined) throw new DriverError('Not supported');
    return { name, capabilities: answer.capabilities, call };
  } catch (error) {
    logger.error('volume driver unusable', { driver: name, program, error: String(error) });
    return undefined;
  }
}

/** Longest text of a driver that is passed on, in characters. */
const maxTextLength = 900;

interface DriverCall {
  readonly program: string;
  readonly command: DriverCommand;
  readonly args: readonly string[];
  readonly secrets: readonly string[];
  readonly timeoutMs: number;
}

async function callDriver(call: DriverCall): Promise<DriverAnswer | undefined> {
  const { program, command, args, secrets, timeoutMs } = call;
  const { output, failure, isLate, hasRun } = await runDriver(program, [command, ...args], timeoutMs);
  const refuse = (message: string): DriverError => new DriverError(cleanText(message, secrets));
  if (isLate || !hasRun) throw refuse(failure ?? 'timeout');
  let answer: DriverAnswer | undefined;
  try {
    answer = parseDriverAnswer(command, output);
  } catch (error) {
    throw refuse(errorText(error));
  }
  if (answer !== undefined && failure !== undefined) throw refuse(failure);
  return answer;
}

/** Cut last, so that no part of a secret is left at the end. */
function cleanText(text: string, secrets: readonly string[]): string {
  const clean = redactSecrets(text, secrets);
  return clean.length <= maxTextLength ? clean : `${clean.slice(0, maxTextLength)}...`;
}
