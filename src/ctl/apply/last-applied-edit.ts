import { isDeepStrictEqual } from 'node:util';
import { recordChange } from '../changes/change-cause.ts';
import { readLastApplied } from '../changes/last-applied.ts';
import { type Change, changeQuery, createReporter } from '../changes/reporter.ts';
import type { Ctl } from '../ctl.ts';
import { joinDocuments, readEditFormat } from '../edit/edit-text.ts';
import { editOutputOption, windowsLineEndingsOption } from '../edit/options.ts';
import { allSaved, runEditSession, type SaveResult } from '../edit/session.ts';
import { CtlError, throwGathered } from '../errors.ts';
import { recordOption } from '../options/change.ts';
import {
  fieldManagerOption,
  fileOptions,
  managedFieldsOption,
  missingKeysOption,
  sourcesOf,
  templateOption,
} from '../options/shared.ts';
import { isWireObject, type WireObject } from '../resource/api-object.ts';
import type { ManifestTarget } from '../resource/resolve-files.ts';
import { type LiveTarget, resolveObjects } from '../resource/resolve-objects.ts';
import { typeName } from '../resource/target.ts';
import { defineVerb } from '../verb.ts';
import { writeLastApplied } from './last-applied-patch.ts';

const lead = `Please edit the 'last-applied-configuration' annotations below.
Lines beginning with a '#' will be ignored, and an empty file will abort the edit.`;

/** `ctl apply edit-last-applied`. */
export const editLastAppliedVerb = defineVerb({
  program: {
    name: 'ctl apply edit-last-applied',
    summary: 'Edit what objects were applied from, in an editor',
    usage: '(TYPE NAME | TYPE/NAME | -f FILE) [flags]',
    options: [
      ...fileOptions,
      fieldManagerOption,
      editOutputOption,
      windowsLineEndingsOption,
      recordOption,
      templateOption,
      missingKeysOption,
      managedFieldsOption,
    ],
    examples: [
      {
        command: 'ctl apply edit-last-applied deployment/web',
        does: 'edit the annotation that apply goes by',
      },
    ],
  },
  async run(ctl, { options, args }) {
    const format = readEditFormat(options.output);
    const { objects, errors } = await resolveObjects(ctl, {
      args,
      ...sourcesOf(options),
      allowsTypesOnly: true,
    });
    throwGathered(errors);
    const originals = objects.flatMap((target) => readConfiguration(ctl, target));
    const [first] = originals;
    if (first === undefined) {
      const command = ctl.dialect.spell('ctl');
      throw new CtlError(
        `no last-applied-configuration annotation found on resources, to create the annotation, use command \`${command} apply set-last-applied --create-annotation\``,
      );
    }
    const report = await createReporter(ctl, options);
    const fieldManager = options.fieldManager ?? ctl.fieldManager('client-side-apply');
    await runEditSession({
      ctl,
      format,
      hasWindowsLineEndings: options.windowsLineEndings,
      lead,
      document: joinDocuments(originals.map(({ object }) => object)),
      first,
      save: (edited) => saveAll(ctl, { originals, edited, fieldManager, report }),
    });
  },
});

/** The configuration in the place of the object; nothing when it has none. */
function readConfiguration(ctl: Ctl, target: LiveTarget): readonly LiveTarget[] {
  const configuration = readLastApplied(target.object, ctl.dialect);
  if (configuration === undefined) return [];
  const { apiVersion, kind } = target.object;
  const object = { apiVersion, kind, metadata: {}, ...configuration };
  if (!isWireObject(object)) return [];
  return [{ ...target, object }];
}

interface SaveRequest {
  readonly originals: readonly LiveTarget[];
  readonly edited: readonly ManifestTarget[];
  readonly fieldManager: string;
  readonly report: (change: Change) => void;
}

async function saveAll(
  ctl: Ctl,
  { originals, edited, fieldManager, report }: SaveRequest,
): Promise<SaveResult> {
  for (const target of edited) {
    const { resource, name, object } = target;
    const original = originals.find((other) => isSameObject(other, target));
    if (original === undefined) {
      throw new CtlError(`no original object found for ${typeName(resource)} ${JSON.stringify(name)}`);
    }
    if (isDeepStrictEqual(withNamespace(original), object)) {
      report({ resource, name, object, operation: 'skipped' });
      continue;
    }
    const written = await writeLastApplied(ctl, original, object, { dryRun: 'none', fieldManager });
    const recorded = await recordChange(ctl, original, changeQuery(fieldManager, 'none'));
    report({ resource, name, object: recorded ?? written, operation: 'edited' });
  }
  return allSaved;
}

function isSameObject(one: LiveTarget, other: ManifestTarget): boolean {
  return (
    one.name === other.name &&
    one.namespace === other.namespace &&
    typeName(one.resource) === typeName(other.resource)
  );
}

/** As objects of files come: with the namespace that they are in. */
function withNamespace({ object, namespace }: LiveTarget): WireObject {
  return namespace === '' ? object : { ...object, metadata: { ...object.metadata, namespace } };
}
