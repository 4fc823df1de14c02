import type { Environment } from "../key.ts";

/** What a program runs on, as far as places of files depend on it. */
export interface Host {
  readonly platform: string;
  /** The home of the user, where it is known. */
  readonly home: string | undefined;
}

/**
 * The directory of the user's configuration of Rolecall; undefined where there is none. A place that is not absolute is none: it would be below the
 * working directory, which may be anybody's, as of a repository that was just cloned.
 * https://specifications.freedesktop.org/basedir-spec/latest/ says the same of its variables.
 */
export function configDirectory(environment: Environment, { platform, home }: Host): string | undefined {
  const isWindows = platform === "win32";
  const absolute = isWindows ? /^(?:[A-Za-z]:[\\/]|\\\\[^\\])/ : /^\//;
  const placeIn = (name: string): string | undefined => {
    const place = Object.hasOwn(environment, name) ? environment[name] : undefined;
    return place !== undefined && absolute.test(place) ? place : undefined;
  };
  const below = (place: string | undefined, ...names: readonly string[]): string | undefined =>
    place === undefined ? undefined : joined(isWindows, place, ...names);
  const user =
    placeIn(isWindows ? "USERPROFILE" : "HOME") ?? (home !== undefined && absolute.test(home) ? home : undefined);
  return (
    placeIn("ROLECALL_CONFIG_DIR") ??
    (isWindows
      ? (below(placeIn("APPDATA"), "rolecall") ?? below(user, "AppData", "Roaming", "rolecall"))
      : (below(placeIn("XDG_CONFIG_HOME"), "rolecall") ?? below(user, ".config", "rolecall")))
  );
}

/** A path below a directory. */
export function joined(isWindows: boolean, directory: string, ...names: readonly string[]): string {
  const separator = isWindows ? "\\" : "/";
  return [directory.replace(isWindows ? /[\\/]+$/ : /\/+$/, ""), ...names].join(separator);
}
