import { isWireObject } from '../resource/api-object.ts';
import type { ApplyRun } from './run.ts';

/** Says that the live object does not know what was applied last, so that nothing can be removed from it. */
export function warnAboutMissing({ ctl, target }: ApplyRun): void {
  const command = ctl.dialect.spell('ctl');
  const { name, resource } = target;
  ctl.io.stderr.write(
    `Warning: resource ${resource.name}/${name} is missing the ${ctl.dialect.lastAppliedAnnotation} annotation which is required by ${command} apply. ${command} apply should only be used on resources created declaratively by either ${command} create --save-config or ${command} apply. The missing annotation will be patched automatically.\n`,
  );
}

/** Says that an object is on its way out, so that what was applied to it will not last. */
export function warnIfDeleting({ ctl, target }: ApplyRun, object: unknown): void {
  if (!isWireObject(object) || !object.metadata.deletionTimestamp) return;
  ctl.io.stderr.write(
    `Warning: Detected changes to resource ${target.name} which is currently being deleted.\n`,
  );
}
