import type { UserInfo } from '../../../apis/kind-rules.ts';

/** Who comes without saying who. */
export const anonymousUser: UserInfo = {
  name: 'system:anonymous',
  uid: '',
  groups: ['system:unauthenticated'],
  extra: {},
};

const authenticatedGroup = 'system:authenticated';

/** A user that proved who it is, in the group of all such. */
export function authenticatedUser(user: UserInfo): UserInfo {
  if (user.groups.includes(authenticatedGroup)) return user;
  return { ...user, groups: [...user.groups, authenticatedGroup] };
}
