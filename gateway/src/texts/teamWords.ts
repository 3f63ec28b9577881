import { text } from './text.ts';

/** A team as people know it: by its name, and always by the address of its owner, which no one can choose freely. */
export function teamLabel({
  teamName: name = '',
  email,
}: {
  teamName?: string | undefined;
  email: string;
}): string {
  return name === '' ? email : text('team.label', { name, email });
}

/** A role in the current language. */
export const roleName = (role: string): string => text('team.roleName', { role });
