import type { CustomResourceDefinition } from '../types/apiextensions-v1.ts';
import type { CustomResourceDefinition as StoredDefinition } from '../types/apiextensions-v1beta1.ts';
import { convertKind } from './version-conversion.ts';

type Spec = CustomResourceDefinition['spec'];
type Version = NonNullable<Spec['versions']>[number];
type Column = NonNullable<Version['additionalPrinterColumns']>[number];
type StoredSpec = StoredDefinition['spec'];
type StoredVersion = NonNullable<StoredSpec['versions']>[number];
type StoredColumn = NonNullable<StoredVersion['additionalPrinterColumns']>[number];

/** What the stored version has once when all versions agree, by its name there and in a version. */
const shared = [
  ['validation', 'schema'],
  ['subresources', 'subresources'],
  ['additionalPrinterColumns', 'additionalPrinterColumns'],
] as const;

/**
 * Definitions of `apiextensions/v1`, which say for each version what the stored `v1beta1` says once when all versions
 * have the same.
 */
export const customResourceDefinitionConversion = convertKind<CustomResourceDefinition, StoredDefinition>({
  toStorage(object) {
    const { spec, ...rest } = object;
    const { versions: served, conversion, preserveUnknownFields, ...others } = spec;
    const versions = (served ?? []).map(storedVersion);
    const [first] = versions;
    const stored: StoredDefinition = {
      ...rest,
      spec: {
        ...others,
        ...(first === undefined ? {} : { version: first.name }),
        ...liftShared(versions),
        versions,
        conversion: conversion && {
          strategy: conversion.strategy,
          webhookClientConfig: conversion.webhook?.clientConfig,
          conversionReviewVersions: conversion.webhook?.conversionReviewVersions ?? undefined,
        },
        preserveUnknownFields: preserveUnknownFields ?? false,
      },
    };
    return stored;
  },
  fromStorage(object) {
    const { spec, ...rest } = object;
    const {
      version,
      versions: stored,
      validation,
      subresources,
      additionalPrinterColumns,
      conversion,
      ...others
    } = spec;
    const common = {
      ...(validation === undefined ? {} : { schema: validation }),
      ...(subresources === undefined ? {} : { subresources }),
      ...(additionalPrinterColumns === undefined ? {} : { additionalPrinterColumns }),
    };
    const served: CustomResourceDefinition = {
      ...rest,
      spec: {
        ...others,
        versions: allVersions(stored, version).map((item) => servedVersion({ ...item, ...common })),
        conversion: conversion && {
          strategy: conversion.strategy,
          webhook: servedWebhook(conversion),
        },
      },
    };
    return served;
  },
});

/** Takes out of `versions` what all of them have alike, and returns it by its stored name. */
function liftShared(versions: StoredVersion[]): Partial<StoredSpec> {
  const lifted: Record<string, unknown> = {};
  for (const [storedName, name] of shared) {
    const [first, ...others] = versions.map((version) => JSON.stringify(version[name]));
    if (first === undefined || others.some((other) => other !== first)) continue;
    lifted[storedName] = versions[0]?.[name];
    for (const version of versions) delete version[name];
  }
  // Each name is lifted from the field of the same type.
  return lifted as Partial<StoredSpec>;
}

/** Definitions from before there were several versions have just one. */
function allVersions(versions: StoredSpec['versions'], single: string | undefined): readonly StoredVersion[] {
  if (versions !== undefined && versions.length > 0) return versions;
  return single ? [{ name: single, served: true, storage: true }] : [];
}

function servedWebhook({
  webhookClientConfig: clientConfig,
  conversionReviewVersions,
}: NonNullable<StoredSpec['conversion']>): NonNullable<Spec['conversion']>['webhook'] {
  if (clientConfig === undefined && (conversionReviewVersions ?? []).length === 0) return undefined;
  return { clientConfig, conversionReviewVersions: conversionReviewVersions ?? null };
}

function storedVersion({ additionalPrinterColumns: columns, ...version }: Version): StoredVersion {
  return columns === undefined
    ? version
    : { ...version, additionalPrinterColumns: columns.map(storedColumn) };
}

function servedVersion({ additionalPrinterColumns: columns, ...version }: StoredVersion): Version {
  return columns === undefined
    ? version
    : { ...version, additionalPrinterColumns: columns.map(servedColumn) };
}

const storedColumn = ({ jsonPath, ...column }: Column): StoredColumn => ({ ...column, JSONPath: jsonPath });

const servedColumn = ({ JSONPath, ...column }: StoredColumn): Column => ({ ...column, jsonPath: JSONPath });
