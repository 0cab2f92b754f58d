import { asJsonObject } from '../base/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import {
  DecodeError,
  formatGroupVersion,
  formatKind,
  type GroupVersionKind,
  parseGroupVersion,
  type TypeCatalog,
} from '../machinery/schema/index.ts';
import { catalogOfGroup } from './catalog.ts';

/** How the answer of a webhook is read. */
export interface AnswerReading {
  readonly dialect: Dialect;
  readonly catalog: TypeCatalog;
  /** What was sent; it holds where the answer does not say what it is. */
  readonly expected: GroupVersionKind;
  /** Makes the error of a cause in release 1.20's words. */
  readonly refusal: (cause: string) => Error;
}

/** What an answer calls itself; empty where it does not. */
export function namedKind(value: unknown): GroupVersionKind {
  const { kind = '', apiVersion = '' } = asJsonObject(value);
  return { ...(parseGroupVersion(String(apiVersion)) ?? { group: '', version: '' }), kind: String(kind) };
}

/** A parsed answer of the expected kind, decoded. Clients of webhooks know the kinds of one group, no other of the API's. */
export function decodeAnswer(value: unknown, reading: AnswerReading): Record<string, unknown> {
  const { dialect, catalog, expected, refusal } = reading;
  const { kind = '', apiVersion = '' } = asJsonObject(value);
  const actual = {
    ...(apiVersion === '' ? expected : namedKind(value)),
    kind: kind === '' ? expected.kind : String(kind),
  };
  const type = catalogOfGroup(catalog, expected.group).kind(actual);
  if (type === undefined) {
    const given = formatGroupVersion(actual.group, actual.version);
    const scheme = dialect.webhookSchemeName;
    throw refusal(`no kind "${actual.kind}" is registered for version "${given}" in scheme "${scheme}"`);
  }
  let decoded: Record<string, unknown>;
  try {
    decoded = type.decode(value ?? {});
  } catch (error) {
    if (error instanceof DecodeError) throw refusal(error.message);
    throw error;
  }
  if (formatKind(actual) === formatKind(expected)) return decoded;
  const names = [actual, expected].map((each) => `(${each.version}.${each.kind})`);
  throw refusal(`converting ${names.join(' to ')}: unknown conversion`);
}
