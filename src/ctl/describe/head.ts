import { asJsonObject } from '../../base/index.ts';
import { labelSelectorFromObject } from '../../machinery/selectors/index.ts';
import type { WireObject } from '../resource/api-object.ts';
import type { DescribeContext } from './describer.ts';

/** Writes name and namespace. */
export function describeName({ object, report }: DescribeContext): void {
  report.field(0, 'Name', object.metadata.name);
  report.field(0, 'Namespace', object.metadata.namespace);
}

/** Writes labels and annotations. */
export function describeMarks({ object, report }: DescribeContext): void {
  report.map('Labels', object.metadata.labels);
  report.annotations(object.metadata.annotations);
}

/** Writes name, namespace, labels and annotations, as most descriptions begin. */
export function describeHead(context: DescribeContext): void {
  describeName(context);
  describeMarks(context);
}

/** Writes the owner that controls the object, if there is one. */
export function describeController({ object, report }: DescribeContext): void {
  const controller = object.metadata.ownerReferences?.find((owner) => owner.controller);
  if (controller !== undefined) report.field(0, 'Controlled By', `${controller.kind}/${controller.name}`);
}

/** The object's selector of labels as text. */
export function selectorText(object: WireObject): string {
  return labelSelectorFromObject(asJsonObject(asJsonObject(object.spec).selector)).toString();
}
