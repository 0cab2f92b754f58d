import type { FindBuiltInType } from '../changes/built-in-type.ts';
import type { DeleteOptions } from '../changes/delete-target.ts';
import type { Ctl } from '../ctl.ts';
import type { DryRun } from '../options/shared.ts';
import type { ManifestTarget } from '../resource/resolve-files.ts';

/** One object to apply. */
export interface ApplyRun {
  readonly ctl: Ctl;
  readonly target: ManifestTarget;
  readonly dryRun: DryRun;
  readonly fieldManager: string;
  readonly findType: FindBuiltInType;
  /** Change what others changed since the last apply (client side only). */
  readonly overwrites: boolean;
  /** Delete and create anew what cannot be patched. */
  readonly forces: boolean;
  /** How objects go that are replaced by force. */
  readonly deletion: DeleteOptions;
  /** How long their end is waited for; 0 for as long as it takes. */
  readonly timeoutMs: number;
  /** Take fields over that others own (server side only). */
  readonly takesOver: boolean;
}
