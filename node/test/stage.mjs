// Lays the packages out as they are released: the one that everybody installs, and one for each platform's addon.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const node = dirname(dirname(fileURLToPath(import.meta.url)));

/** What addons are released for, by the words of Node.js; `.github/workflows/npm.yml` builds them. */
export const PLATFORMS = [
  { os: "linux", cpu: "x64", libc: "glibc" },
  { os: "linux", cpu: "arm64", libc: "glibc" },
  { os: "linux", cpu: "x64", libc: "musl" },
  { os: "linux", cpu: "arm64", libc: "musl" },
  { os: "darwin", cpu: "x64" },
  { os: "darwin", cpu: "arm64" },
  { os: "win32", cpu: "x64" },
  { os: "win32", cpu: "arm64" },
];

export const manifest = JSON.parse(readFileSync(join(node, "package.json"), "utf8"));

export function platformName({ os, cpu, libc }) {
  const suffix = libc === undefined ? "" : libc === "glibc" ? "-gnu" : "-musl";
  return `${manifest.name}-${os}-${cpu}${suffix}`;
}

/** The platform that this runs on. */
export const here = PLATFORMS.find(
  ({ os, cpu, libc }) =>
    os === process.platform && cpu === process.arch &&
    (libc === undefined || (libc === "glibc") === ("glibcVersionRuntime" in process.report.getReport().header)),
);

/** Puts the package itself into a folder. */
export function stagePackage(folder) {
  start(folder);
  const { files } = manifest;
  for (const file of files.filter((file) => existsSync(join(node, file)))) {
    cpSync(join(node, file), join(folder, file), { recursive: true, dereference: true });
  }
  const optionalDependencies = Object.fromEntries(PLATFORMS.map((each) => [platformName(each), manifest.version]));
  write(folder, { ...manifest, optionalDependencies });
}

/** Puts the package of a platform's addon into a folder. */
export function stageAddon(folder, platform, library) {
  start(folder);
  const { os, cpu, libc } = platform;
  cpSync(library, join(folder, "ratelimit.node"));
  const { version, license, engines } = manifest;
  const description = `The native addon of ${manifest.name} for ${os} ${cpu}`;
  const where = { os: [os], cpu: [cpu], ...(libc === undefined ? {} : { libc: [libc] }) };
  const name = platformName(platform);
  const files = ["ratelimit.node"];
  write(folder, { name, version, description, license, engines, ...where, main: files[0], files });
}

function start(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

function write(folder, manifest) {
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

// For a release: node stage.mjs FOLDER [OS CPU LIBC LIBRARY]
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, os, cpu, libc, library] = process.argv.slice(2);
  const same = (each) => each.os === os && each.cpu === cpu && (each.libc ?? "-") === libc;
  if (os === undefined) stagePackage(folder);
  else stageAddon(folder, PLATFORMS.find(same), library);
}
