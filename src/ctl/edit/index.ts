/**
 * `ctl edit`: fetches objects, opens them in the user's editor and sends what was changed as a patch. The editing itself
 * (`session.ts`) knows nothing of patches and serves `ctl apply edit-last-applied` too.
 */
import { createReporter } from '../changes/reporter.ts';
import { CtlError, throwGathered } from '../errors.ts';
import { recordOption, saveConfigOption, validateOption } from '../options/change.ts';
import {
  fieldManagerOption,
  fileOptions,
  managedFieldsOption,
  missingKeysOption,
  sourcesOf,
  templateOption,
} from '../options/shared.ts';
import { withoutManagedFields } from '../resource/api-object.ts';
import { resolveObjects } from '../resource/resolve-objects.ts';
import { defineVerb } from '../verb.ts';
import { editLead, joinDocuments, readEditFormat } from './edit-text.ts';
import { editOutputOption, outputPatchOption, windowsLineEndingsOption } from './options.ts';
import { createObjectSaver } from './save-objects.ts';
import { runEditSession } from './session.ts';

/** The verb. */
export const editVerb = defineVerb({
  program: {
    name: 'ctl edit',
    summary: 'Edit objects in an editor',
    usage: '(TYPE NAME | TYPE/NAME | -f FILE) [flags]',
    description: [
      'The editor is that of the environment variables ORCH_EDITOR or EDITOR, or vi. A file that the server refuses is opened again with the reasons on top; an empty one or one without changes ends the command.',
    ],
    options: [
      ...fileOptions,
      validateOption,
      saveConfigOption,
      fieldManagerOption,
      recordOption,
      editOutputOption,
      outputPatchOption,
      windowsLineEndingsOption,
      templateOption,
      missingKeysOption,
      managedFieldsOption,
    ],
    examples: [
      { command: 'ctl edit deployment/web', does: 'edit an object' },
      { command: 'ctl edit service/web -o json', does: 'edit it as JSON' },
      { command: `ORCH_EDITOR='code --wait' ctl edit configmap/settings`, does: 'use another editor' },
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
    const originals = objects.map((target) => ({ ...target, object: withoutManagedFields(target.object) }));
    const [first] = originals;
    if (first === undefined) throw new CtlError('edit cancelled, no objects found');
    const report = await createReporter(ctl, options);
    await runEditSession({
      ctl,
      format,
      hasWindowsLineEndings: options.windowsLineEndings,
      lead: editLead,
      document: joinDocuments(originals.map(({ object }) => object)),
      first,
      isValidated: options.validate,
      save: createObjectSaver(ctl, originals, {
        fieldManager: options.fieldManager ?? ctl.fieldManager('edit'),
        savesConfig: options.saveConfig,
        printsPatch: options.outputPatch,
        report,
      }),
    });
  },
});
