import { posix } from 'node:path';
import { type AnyOptionValue, isZeroValue, recordOf } from '../../config/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { formatDurationMs } from '../../machinery/go-values/index.ts';
import type { AgentOptionValues } from './agent-option-values.ts';
import { parseCpuSet } from './cpu-set.ts';
import { type AgentOption, fieldOptions } from './option-table.ts';

/** A value as the configuration file writes it. */
export type FieldJson = boolean | number | string | readonly unknown[] | { readonly [key: string]: unknown };

/**
 * The configuration as `/configz` shows it: fields of the configuration file in their order, empty ones left out where
 * release 1.20 leaves them out, all in the words of the dialect. The serving certificate is the self-signed one where no
 * other is given, and reserved processors take the place of reserved amounts.
 */
export function configz(config: AgentOptionValues, dialect: Dialect): Readonly<Record<string, unknown>> {
  const out: Record<string, unknown> = {};
  const shown = withReservedCpus(withOwnCertificate(config, dialect));
  for (const { path, value, isShown } of configFields(shown, dialect)) {
    place(out, path, isShown ? value : undefined);
  }
  return out;
}

/** A field with the JSON of its value. */
export interface ConfigField {
  readonly key: string;
  /** As the dialect spells it. */
  readonly path: readonly string[];
  readonly value: FieldJson;
  /** Not empty, or a field that is shown even so. */
  readonly isShown: boolean;
}

/** All fields of the configuration file as the dialect has them, in their order. */
export function configFields(config: AgentOptionValues, dialect: Dialect): readonly ConfigField[] {
  const byKey = new Map<string, AnyOptionValue>(Object.entries(config));
  return fieldOptions.map((option) => {
    const value = byKey.get(option.key) ?? '';
    const isDuration = option.type === 'duration';
    const isAlways = isDuration || option.nullable === true;
    return {
      key: option.key,
      path: dialect.spell(option.field).split('.'),
      value: isDuration ? formatDurationMs(Number(value)) : sorted(spellValue(option, value, dialect)),
      isShown: isAlways || !isZeroValue(value),
    };
  });
}

/** Gates and words of a closed list are the product's; every other value is the user's own. */
export function spellValue(
  { key, allowed }: AgentOption,
  value: AnyOptionValue,
  dialect: Dialect,
): AnyOptionValue {
  if (key === 'featureGates') {
    return recordOf(Object.entries(value).map(([name, isOn]) => [dialect.spell(name), isOn === true]));
  }
  const spell = (text: string): string => (allowed?.includes(text) === true ? dialect.spell(text) : text);
  if (typeof value === 'string') return spell(value);
  return isTexts(value) ? value.map(spell) : value;
}

function isTexts(value: AnyOptionValue): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Maps are written with their keys in order. */
function sorted(value: AnyOptionValue): FieldJson {
  if (typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function withOwnCertificate(config: AgentOptionValues, dialect: Dialect): AgentOptionValues {
  const { tlsCertFile, tlsPrivateKeyFile, rotateServerCertificates, certDir } = config;
  if (tlsCertFile !== '' || tlsPrivateKeyFile !== '' || rotateServerCertificates) return config;
  const { certFile, keyFile } = selfSignedPaths(certDir, dialect);
  return { ...config, tlsCertFile: certFile, tlsPrivateKeyFile: keyFile };
}

/** As in release 1.20: their number takes the place of all processors that are reserved, where the system reserves any. */
function withReservedCpus(config: AgentOptionValues): AgentOptionValues {
  const cpus = parseCpuSet(config.reservedCpus);
  const count = 'value' in cpus ? cpus.value.length : 0;
  if (count === 0) return config;
  const { cpu: _, ...orchReserved } = config.orchReserved;
  const { systemReserved } = config;
  const isGiven = Object.keys(systemReserved).length > 0;
  return {
    ...config,
    orchReserved,
    systemReserved: isGiven ? { ...systemReserved, cpu: String(count) } : systemReserved,
  };
}

/** Where the agent keeps the serving certificate that it signs itself. */
export function selfSignedPaths(
  certDir: string,
  { spell }: Pick<Dialect, 'spell'>,
): { readonly certFile: string; readonly keyFile: string } {
  const base = posix.join(certDir, spell('nodeagent'));
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
