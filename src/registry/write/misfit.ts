import { explainConversion } from '../../machinery/patch/strategic/index.ts';
import {
  type CompiledType,
  formatKind,
  type GroupVersionKind,
  type TypeCatalog,
} from '../../machinery/schema/index.ts';

/** Why an object made of a configuration is none of its kind, as the converter of release 1.20 says it. */
export function misfitMessage(
  value: unknown,
  {
    kind,
    type,
    catalog,
    decodeMessage,
  }: {
    readonly kind: GroupVersionKind;
    readonly type: CompiledType | undefined;
    readonly catalog: TypeCatalog;
    /** What the decoder said of it. */
    readonly decodeMessage: string;
  },
): string {
  const cause =
    type === undefined ? decodeMessage : explainConversion({ value, type, catalog, decodeMessage });
  return `unable to convert unstructured object to ${formatKind(kind)}: ${cause}`;
}
