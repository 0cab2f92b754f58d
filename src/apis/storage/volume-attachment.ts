import {
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidValue,
  required,
  tooLong,
} from '../../machinery/errors/index.ts';
import { validateInlineVolumeSpec } from '../core/index.ts';
import { checkCsiDriverName } from '../core/pod-spec/index.ts';
import { keepMetadata } from '../keep-metadata.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import { reportInvalid } from '../reporting.ts';
import type { VolumeAttachment } from '../types/storage-v1.ts';
import { deepEqual, isDns1123Subdomain, nameIsDnsSubdomain, renderGo } from '../validation/index.ts';

const specPath = fieldPath('spec');
const statusPath = fieldPath('status');
const maxMetadataBytes = 262_144;
const maxMessageBytes = 1024;

/** In the beta version the status is written with the rest, and names may be others. */
const isBeta = ({ requestApiVersion }: RuleContext): boolean =>
  requestApiVersion === 'storage.orch.io/v1beta1';

/** Without its gate, only an attachment that has a volume of its own may say which. */
function dropInlineVolume(
  { spec }: VolumeAttachment,
  old: VolumeAttachment | undefined,
  { gates }: RuleContext,
): void {
  if (gates.has('CSIMigration') || old?.spec.source.inlineVolumeSpec !== undefined) return;
  delete spec.source.inlineVolumeSpec;
}

/** Volume attachments. */
export const volumeAttachmentRules: KindRules<VolumeAttachment> = {
  allowsUnconditionalUpdate: false,
  validateName: nameIsDnsSubdomain,
  answersDeletion: 'object',
  prepareForCreate(attachment, context) {
    if (!isBeta(context)) attachment.status = { attached: false };
    dropInlineVolume(attachment, undefined, context);
  },
  prepareForUpdate(attachment, old, context) {
    if (!isBeta(context)) attachment.status = old.status;
    dropInlineVolume(attachment, old, context);
  },
  validate(attachment, context) {
    const errors = validateAttachment(attachment, context);
    if (!isBeta(context)) validateForLatest(errors, attachment);
    return errors;
  },
  validateUpdate: (attachment, _old, context) => validateAttachment(attachment, context),
  validateKept: validateKeptSpec,
  status: {
    prepareForUpdate(attachment, old) {
      attachment.spec = old.spec;
      keepMetadata(attachment, old);
    },
    validateUpdate: (attachment, _old, context) => validateAttachment(attachment, context),
  },
};

function validateAttachment({ spec, status }: VolumeAttachment, context: RuleContext): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.attacher === '') errors.push(required(specPath.child('attacher')));
  validateSource(errors, spec.source, specPath.child('source'), context);
  reportInvalid(errors, specPath.child('nodeName'), spec.nodeName, isDns1123Subdomain(spec.nodeName));
  validateMetadata(errors, status.attachmentMetadata ?? {});
  for (const field of ['attachError', 'detachError'] as const) {
    const message = status[field]?.message ?? '';
    if (Buffer.byteLength(message) <= maxMessageBytes) continue;
    // Release 1.20 tells of the limit of the metadata.
    errors.push(tooLong(statusPath.child(field, 'message'), message, maxMetadataBytes));
  }
  return errors;
}

function validateSource(
  errors: FieldError[],
  source: VolumeAttachment['spec']['source'],
  path: FieldPath,
  context: RuleContext,
): void {
  const { inlineVolumeSpec, persistentVolumeName } = source;
  const detail = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (inlineVolumeSpec === undefined && persistentVolumeName === undefined) {
    const ungated = 'must specify persistentVolumeName when CSIMigration feature is disabled';
    errors.push(required(path, context.gates.has('CSIMigration') ? detail : ungated));
  } else if (inlineVolumeSpec !== undefined && persistentVolumeName !== undefined) {
    errors.push(forbiddenField(path, detail));
  } else if (persistentVolumeName === '') {
    const nameDetail = 'must specify non empty persistentVolumeName';
    errors.push(required(path.child('persistentVolumeName'), nameDetail));
  } else if (inlineVolumeSpec !== undefined) {
    errors.push(...validateInlineVolumeSpec(inlineVolumeSpec, path.child('inlineVolumeSpec'), context));
  }
}

function validateMetadata(errors: FieldError[], metadata: Readonly<Record<string, string>>): void {
  const path = statusPath.child('attachmentMetadata');
  let totalBytes = 0;
  for (const [key, value] of Object.entries(metadata)) {
    totalBytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (totalBytes > maxMetadataBytes) errors.push(tooLong(path, '', maxMetadataBytes));
}

/** Release 1.20 writes these two paths as one name with a dot in it, which reads the same. */
function validateForLatest(errors: FieldError[], { spec }: VolumeAttachment): void {
  checkCsiDriverName(errors, spec.attacher, specPath.child('attacher'));
  const volume = spec.source.persistentVolumeName;
  if (volume === undefined) return;
  const path = specPath.child('source', 'persistentVolumeName');
  reportInvalid(errors, path, volume, isDns1123Subdomain(volume));
}

function validateKeptSpec(
  attachment: VolumeAttachment,
  old: VolumeAttachment,
  { catalog }: RuleContext,
): FieldError[] {
  if (deepEqual(attachment.spec, old.spec)) return [];
  const shown = renderGo(attachment.spec, 'storage.orch.io/v1.VolumeAttachmentSpec', catalog);
  return [invalidValue(specPath, shown, 'field is immutable')];
}
