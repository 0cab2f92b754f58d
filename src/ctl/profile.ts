import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { fileErrorText } from '../base/index.ts';
import { CtlError } from './errors.ts';

/** Runs an action and writes a profile of it, also when it fails. @throws CtlError when the file cannot be written */
export async function withProfile(
  kind: 'cpu' | 'heap',
  file: string,
  action: () => Promise<void>,
): Promise<void> {
  const session = new Session();
  session.connect();
  const isCpu = kind === 'cpu';
  try {
    if (isCpu) await session.post('Profiler.enable');
    await (isCpu ? session.post('Profiler.start') : session.post('HeapProfiler.startSampling'));
    try {
      await action();
    } finally {
      const { profile } = await (isCpu
        ? session.post('Profiler.stop')
        : session.post('HeapProfiler.stopSampling'));
      writeProfile(file, JSON.stringify(profile));
    }
  } finally {
    session.disconnect();
  }
}

function writeProfile(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600 });
  } catch (cause) {
    throw new CtlError(`unable to write the profile: ${fileErrorText(cause, file)}`, { cause });
  }
}
