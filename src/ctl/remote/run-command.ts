import { openRemoteSession, RemoteExitError } from '../../client/remote-streams/index.ts';
import type { Ctl } from '../ctl.ts';
import { ExitError } from '../errors.ts';
import { explainStreamFailure } from './explain-failure.ts';
import { sessionRequest } from './run-remote.ts';

/** A command in a container whose streams are not those of this process. */
export interface RemoteCommand {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly command: readonly string[];
  readonly input?: AsyncIterable<Buffer> | undefined;
  /** Called with output as it comes; what it throws ends the command. */
  readonly onOutput: (stream: 'stdout' | 'stderr', bytes: Buffer) => void;
  /** Who works on the output: the command ends when that fails. */
  readonly consumer?: Promise<void> | undefined;
}

/**
 * Runs a command to its end.
 *
 * @throws ExitError with its exit code when that is not 0, what `input`, `onOutput` and `consumer` throw, and what
 *   `openRemoteSession` does.
 */
export async function runCommand(ctl: Ctl, remote: RemoteCommand): Promise<void> {
  const { namespace, pod, container, command, input } = remote;
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {}); // looked at below
  remote.consumer?.catch(failed.reject);
  const streams = { hasStdin: input !== undefined, isRaw: false, subresource: 'exec' } as const;
  const request = await sessionRequest(
    ctl,
    { namespace, pod, query: { container, command }, ...streams },
    (stream, bytes) => {
      try {
        remote.onOutput(stream, bytes);
      } catch (error) {
        failed.reject(error);
      }
    },
  );
  const session = await openRemoteSession(request).catch((error: unknown) => {
    throw explainStreamFailure(error, ctl.dialect);
  });
  try {
    const sent = (async () => {
      for await (const chunk of input ?? []) await session.write(chunk);
      session.end();
    })();
    sent.catch(failed.reject);
    await Promise.race([session.finished, failed.promise]);
  } catch (error) {
    if (error instanceof RemoteExitError) throw new ExitError(error.exitCode, error.message);
    throw error;
  } finally {
    session.close();
  }
}
