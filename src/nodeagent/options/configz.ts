import type { AgentOptionValues } from './agent-option-values.ts';
import { goDuration } from './go-duration.ts';
import { fieldOptions } from './option-table.ts';
import { type AgentValue, isZeroValue, valueKind } from './values.ts';

/** A value as the configuration file writes it. */
export type FieldJson = boolean | number | string | readonly unknown[] | { readonly [key: string]: unknown };

/**
 * The configuration as `/configz` shows it: fields of the configuration file in their order, empty ones left out where
 * the reference leaves them out. The serving certificate is the self-signed one where no other is given.
 */
export function configz(config: AgentOptionValues): Readonly<Record<string, unknown>> {
  const out: Record<string, unknown> = {};
  for (const { path, value, isShown } of configFields(withOwnCertificate(config))) {
    place(out, path, isShown ? value : undefined);
  }
  return out;
}

/** A field with the JSON of its value. */
export interface ConfigField {
  readonly key: string;
  readonly path: readonly string[];
  readonly value: FieldJson;
  /** Not empty, or a field that is shown even so. */
  readonly isShown: boolean;
}

/** All fields of the configuration file, in their order. */
export function configFields(config: AgentOptionValues): readonly ConfigField[] {
  const byKey = new Map<string, AgentValue>(Object.entries(config));
  return fieldOptions.map((option) => {
    const value = byKey.get(option.key) ?? '';
    const isDuration = valueKind(option) === 'duration';
    const isAlways = isDuration || option.nullable === true;
    return {
      key: option.key,
      path: option.field.split('.'),
      value: isDuration ? goDuration(Number(value)) : sorted(value),
      isShown: isAlways || !isZeroValue(value),
    };
  });
}

/** Maps are written with their keys in order. */
function sorted(value: AgentValue): FieldJson {
  if (typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function withOwnCertificate(config: AgentOptionValues): AgentOptionValues {
  const { tlsCertFile, tlsPrivateKeyFile, rotateServerCertificates, certDir } = config;
  if (tlsCertFile !== '' || tlsPrivateKeyFile !== '' || rotateServerCertificates) return config;
  const { certFile, keyFile } = selfSignedPaths(certDir);
  return { ...config, tlsCertFile: certFile, tlsPrivateKeyFile: keyFile };
}

/** Where the agent keeps the serving certificate that it signs itself. */
export function selfSignedPaths(certDir: string): { readonly certFile: string; readonly keyFile: string } {
  const base = `${certDir.replace(/\/$/, '')}/nodeagent`;
  return { certFile: `${base}.crt`, keyFile: `${base}.key` };
}

/** Puts a value at its path; the maps on the way are made even when there is nothing to put. */
function place(out: Record<string, unknown>, path: readonly string[], value: FieldJson | undefined): void {
  let target = out;
  for (const name of path.slice(0, -1)) {
    const next = target[name] ?? {};
    target[name] = next;
    target = next as Record<string, unknown>; // made two lines above
  }
  if (value !== undefined) target[path.at(-1) ?? ''] = value;
}
