import { asJsonObject } from '../../base/index.ts';
import { type Dialect, translateData } from '../../machinery/dialect.ts';
import { describeClaimBody } from './persistent-volume-claim.ts';
import persistentTypes from './persistent-volumes.json' with { type: 'json' };
import {
  asRecords,
  type Fields,
  goList,
  goText,
  maxLineLength,
  type Report,
  shorten,
  shownText,
  sortedEntries,
  textOr,
} from './report.ts';
import types from './volumes.json' with { type: 'json' };

/** A field of a volume: its label, where it is, and what stands for its absence or how it is written. */
type VolumeField = readonly [label: string, field: string, form?: string];
/** A type of volume: the sentence that release 1.20's client says about it, and its fields. */
type VolumeType = readonly [about: string, ...VolumeField[]];

// The compiler takes lists of a data file for arrays; each begins with its sentence.
const podTypes = types as unknown as Readonly<Record<string, VolumeType>>;
const ownTypes: object = persistentTypes;
const volumeTypes = { ...podTypes, ...ownTypes };

/** Writes a pod's volumes. */
export function describeVolumes(report: Report, volumes: unknown, dialect: Dialect, level = 0): void {
  const list = asRecords(volumes);
  report.line(level, list.length === 0 ? 'Volumes:\t<none>' : 'Volumes:');
  for (const volume of list) {
    // In a template only the names are further in, by one blank.
    report.line(1, `${' '.repeat(level)}${shownText(volume.name)}:`);
    describeVolumeSource(report, volume, podTypes, dialect);
  }
}

/** Writes what a persistent volume is. */
export function describePersistentSource(report: Report, spec: Fields, dialect: Dialect): void {
  describeVolumeSource(report, spec, volumeTypes, dialect);
}

/** Writes one volume by the first of its members that is a type of volume. */
function describeVolumeSource(
  report: Report,
  volume: Fields,
  known: Readonly<Record<string, VolumeType>>,
  dialect: Dialect,
  level = 2,
): void {
  const kind = Object.keys(volume).find((key) => Object.hasOwn(known, key));
  const type = kind === undefined ? undefined : known[kind];
  if (kind === undefined || type === undefined) {
    report.line(level, '<unknown>');
    return;
  }
  const [about, ...fields] = translateData(dialect, type);
  report.line(level, `Type:\t${about}`);
  const source = asJsonObject(volume[kind]);
  for (const field of fields) describeField(report, level, field, source, dialect);
}

function describeField(
  report: Report,
  level: number,
  [label, name, form = '']: VolumeField,
  source: Fields,
  dialect: Dialect,
): void {
  const [first = '', ...inner] = name.split('.');
  const value = inner.reduce((part, key) => asJsonObject(part)[key], source[first]);
  if (form === 'items') describeItems(report, level, label, asRecords(value));
  else if (form === 'attributes') describeAttributes(report, level, label, value);
  else if (form === 'sources') describeSources(report, level, asRecords(value));
  else if (form === 'claim') {
    if (value !== undefined) describeClaimBody(report, asJsonObject(value), { dialect, level });
  } else if (form === 'no colon') report.line(level, `${label}\t${shownText(value)}`);
  else report.field(level, label, formatField(value, form));
}

function formatField(value: unknown, form: string): string {
  switch (form) {
    case 'size':
      return /^0*[A-Za-z]*$/.test(textOr(value, '0')) ? '<unset>' : String(value);
    case 'joined':
      return Array.isArray(value) ? value.join(', ') : '';
    case '[]':
      return goList(value);
    case 'map':
      return goText(asJsonObject(value));
    case 'reference':
      return value === undefined ? 'nil' : `&LocalObjectReference{Name:${asJsonObject(value).name ?? ''},}`;
    case 'secret reference': {
      const { name = '', namespace = '' } = asJsonObject(value);
      return value === undefined ? 'nil' : `&SecretReference{Name:${name},Namespace:${namespace},}`;
    }
    case '<none>':
      // A type that is there but empty is shown as it is.
      return value === undefined ? form : String(value);
    default:
      return textOr(value, form);
  }
}

function describeItems(report: Report, level: number, label: string, items: readonly Fields[]): void {
  report.line(level, `${label}:`);
  for (const { fieldRef, resourceFieldRef, path } of items) {
    const from =
      fieldRef === undefined ? asJsonObject(resourceFieldRef).resource : asJsonObject(fieldRef).fieldPath;
    report.line(level + 1, `${shownText(from)} -> ${shownText(path)}`);
  }
}

/** The second and later ones are further in than the first, as release 1.20's client has them. */
function describeAttributes(report: Report, level: number, label: string, map: unknown): void {
  const indent = '  '.repeat(level);
  const lines = sortedEntries(map).map(([key, value]) =>
    shorten(shownText(`${key}=${value}`), maxLineLength),
  );
  const [first, ...rest] = lines;
  report.line(level, `${label}:\t${first === undefined ? '<none>' : `${indent}${first}`}`);
  for (const line of rest) report.line(level, `${indent}\t${indent}${line}`);
}

function describeSources(report: Report, level: number, sources: readonly Fields[]): void {
  for (const { secret, configMap, downwardAPI, serviceAccountToken } of sources) {
    // Of what is optional, release 1.20's client shows where it has it in memory.
    const optional = (reference: unknown) => asJsonObject(reference).optional ?? '<nil>';
    if (secret !== undefined) {
      report.field(level, 'SecretName', asJsonObject(secret).name);
      report.field(level, 'SecretOptionalName', optional(secret));
    } else if (downwardAPI !== undefined) report.field(level, 'DownwardAPI', 'true');
    else if (configMap !== undefined) {
      report.field(level, 'ConfigMapName', asJsonObject(configMap).name);
      report.field(level, 'ConfigMapOptional', optional(configMap));
    } else if (serviceAccountToken !== undefined) {
      report.field(level, 'TokenExpirationSeconds', asJsonObject(serviceAccountToken).expirationSeconds);
    }
  }
}
