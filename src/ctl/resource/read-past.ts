import { isReason, StatusError } from '../../machinery/errors/index.ts';
import { DurationError, parseDurationMs } from '../../machinery/go-values/index.ts';
import { parseTime, TimeError } from '../../machinery/values/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { listItems, type WireObject } from './api-object.ts';
import { type Target, targetPath } from './target.ts';

/**
 * The resource version that a moment of the past names, as lists take it: a duration before now (`10m`, `10m ago`), an RFC
 * 3339 time, or a resource version itself. Times become `@TIME`, which this project's servers know.
 *
 * @throws CtlError that names the flag
 */
export function parseMoment(
  text: string,
  { flag, nowMs }: { readonly flag: string; readonly nowMs: number },
) {
  if (/^[1-9]\d*$/.test(text)) return text;
  const timeMs = timeOf(text, nowMs);
  if (timeMs === undefined) {
    const expected = 'a duration such as 10m, a time such as 2026-01-02T15:04:05Z, or a resource version';
    throw new CtlError(`--${flag}=${text}: expected ${expected}`);
  }
  if (timeMs > nowMs) throw new CtlError(`--${flag}=${text}: lies in the future`);
  return `@${new Date(timeMs).toISOString()}`;
}

function timeOf(text: string, nowMs: number): number | undefined {
  try {
    return nowMs - parseDurationMs(text.replace(/ +ago$/, ''));
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
  }
  try {
    return parseTime(text);
  } catch (error) {
    if (error instanceof TimeError) return undefined;
    throw error;
  }
}

/** Query of a list that shows what a target was at a version. */
export function pastQuery(version: string, { name }: Target): Readonly<Record<string, string>> {
  return {
    resourceVersion: version,
    resourceVersionMatch: 'Exact',
    ...(name === undefined ? {} : { fieldSelector: `metadata.name=${name}` }),
  };
}

/** A list of the past that failed, in words that say what to do. Anything else as it is. */
export function explainPast(error: unknown, version: string): unknown {
  const isFuture =
    error instanceof StatusError && error.code === 500 && error.message.includes('is a future revision');
  if (isFuture || isReason(error, 'Timeout'))
    return new CtlError(`the server has no resource version ${version} yet`, { cause: error });
  if (isReason(error, 'Expired') || isReason(error, 'Gone')) return new HistoryEndError(version, error);
  const isUnknown =
    error instanceof StatusError && error.code === 400 && error.message.includes('invalid resource version');
  if (!isUnknown || !version.startsWith('@')) return error;
  return new CtlError(
    'the server does not know which versions there were at a time: give a resource version, which ctl log shows',
    { cause: error },
  );
}

/** The server has forgotten, or never knew, what was asked for. */
export class HistoryEndError extends CtlError {
  constructor(version: string, cause: unknown) {
    const what = version.startsWith('@') ? `${version.slice(1)}` : `resource version ${version}`;
    super(
      `the server no longer has what there was at ${what}; orch serve --history says how long it keeps it`,
      {
        cause,
      },
    );
  }
}

/** One object as it was; undefined where it did not exist. @throws HistoryEndError, CtlError, StatusError */
export async function readPast(
  ctl: Ctl,
  target: Target & { readonly name: string },
  version: string,
): Promise<WireObject | undefined> {
  const client = await ctl.client();
  try {
    const list: unknown = await client.json({
      method: 'GET',
      path: targetPath({ ...target, name: undefined }),
      query: pastQuery(version, target),
      signal: ctl.io.signal,
      isRetried: false,
    });
    return listItems(list, target.resource)[0];
  } catch (error) {
    throw explainPast(error, version);
  }
}
