import type {
  LocalSubjectAccessReview,
  SelfSubjectAccessReview,
  SubjectAccessReview,
} from '../../apis/types/authorization-v1.ts';
import { badRequest, type FieldError, fieldPath, invalidValue } from '../../machinery/errors/index.ts';
import type { Authorizer } from '../authorization/index.ts';
import type { Endpoint } from '../handlers/endpoint.ts';
import {
  attributesErrors,
  decide,
  groupsOf,
  metadataErrors,
  showPath,
  subjectErrors,
  subjectOf,
  throwIfInvalid,
} from './access-question.ts';
import { readReview, type VirtualHandler, writeReview } from './review.ts';

/** POST to `subjectaccessreviews`: may somebody do something? */
export function subjectAccessReviewHandler(authorizer: Authorizer): VirtualHandler {
  return async (exchange, endpoint) => {
    const review = await readReview<SubjectAccessReview>(exchange, endpoint);
    const { metadata, spec } = review;
    const groups = groupsOf(spec);
    throwIfInvalid(
      [
        ...attributesErrors(spec, endpoint),
        ...subjectErrors(spec, groups),
        ...metadataErrors(metadata, endpoint, { detail: 'must be empty', ignored: [] }),
      ],
      endpoint,
    );
    const status = await decide(authorizer, { user: subjectOf(spec, groups), asker: exchange }, spec);
    writeReview(exchange, endpoint, { ...review, status });
  };
}

/** POST to `selfsubjectaccessreviews`: may I do something? */
export function selfSubjectAccessReviewHandler(authorizer: Authorizer): VirtualHandler {
  return async (exchange, endpoint) => {
    const review = await readReview<SelfSubjectAccessReview>(exchange, endpoint);
    const { metadata, spec } = review;
    throwIfInvalid(
      [
        ...attributesErrors(spec, endpoint),
        ...metadataErrors(metadata, endpoint, { detail: 'must be empty', ignored: [] }),
      ],
      endpoint,
    );
    const status = await decide(authorizer, { user: exchange.user, asker: exchange }, spec);
    writeReview(exchange, endpoint, { ...review, status });
  };
}

/** POST to `localsubjectaccessreviews`: may somebody do something in this namespace? */
export function localSubjectAccessReviewHandler(authorizer: Authorizer): VirtualHandler {
  return async (exchange, endpoint) => {
    const review = await readReview<LocalSubjectAccessReview>(exchange, endpoint);
    throwIfInvalid(errorsOf(review, endpoint), endpoint);
    const { spec } = review;
    const { namespace } = exchange.info;
    if (namespace !== (spec.resourceAttributes?.namespace ?? '')) {
      throw badRequest(`spec.resourceAttributes.namespace must match namespace: ${namespace}`);
    }
    const status = await decide(authorizer, { user: subjectOf(spec, groupsOf(spec)), asker: exchange }, spec);
    writeReview(exchange, endpoint, { ...review, status });
  };
}

function errorsOf({ metadata, spec }: LocalSubjectAccessReview, endpoint: Endpoint): FieldError[] {
  const errors = [
    ...attributesErrors(spec, endpoint),
    ...subjectErrors(spec, groupsOf(spec)),
    ...metadataErrors(metadata, endpoint, {
      detail: 'must be empty except for namespace',
      ignored: ['namespace'],
    }),
  ];
  const { resourceAttributes, nonResourceAttributes } = spec;
  const asked = resourceAttributes?.namespace ?? '';
  if (resourceAttributes !== undefined && asked !== (metadata.namespace ?? '')) {
    const path = fieldPath('spec', 'resourceAttributes', 'namespace');
    errors.push(invalidValue(path, asked, 'must match metadata.namespace'));
  }
  if (nonResourceAttributes !== undefined) {
    const shown = showPath(nonResourceAttributes, endpoint);
    const path = fieldPath('spec', 'nonResourceAttributes');
    errors.push(invalidValue(path, shown, 'disallowed on this kind of request'));
  }
  return errors;
}
