// The program inside the single executable: unpacks what it carries, once for a version, and becomes Docent. CommonJS, since Node 24
// takes no other main. A process of Docent starts further ones from files, so the files have to be there.
const { randomBytes } = require("node:crypto");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const sea = require("node:sea");
const { zstdDecompressSync } = require("node:zlib");

/** What postject sets to 1: whether this Node looks for a program inside itself. Written in two parts, to be found once. */
const FUSE = ["NODE_SEA_FUSE_", "fce680ab2cc467b6e072b8b5df1996b2", ":1"].join("");

try {
  const folder = unpackOnce();
  const node = path.join(folder, "node");
  process.execve?.(
    node,
    [node, path.join(folder, "node_modules", "docent", "bin", "docent"), ...process.argv.slice(2)],
    process.env,
  );
} catch (error) {
  process.stderr.write(`docent: ${messageOf(error)}\n`);
  process.exitCode = 1;
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/** The folder with this version's files; `DOCENT_UNPACK_DIR` names another place than the user's cache. */
function unpackOnce() {
  const version = sea.getAsset("version", "utf8");
  const parent = process.env.DOCENT_UNPACK_DIR || path.join(cacheFolder(), "docent");
  const folder = path.join(makeOwnFolder(parent), version);
  if (isThere(folder)) return folder;
  process.stderr.write(`Unpacking Docent into ${folder}, once for this version.\n`);
  const half = `${folder}.${randomBytes(6).toString("hex")}`;
  try {
    unpack(half);
    fs.renameSync(half, folder);
  } catch (error) {
    fs.rmSync(half, { recursive: true, force: true });
    // Another start was first.
    if (!isThere(folder)) throw new Error(`cannot unpack into ${folder}: ${messageOf(error)}`, { cause: error });
  }
  return folder;
}

/**
 * Whether this user unpacked it.
 * @param {string} folder
 */
function isThere(folder) {
  const found = fs.lstatSync(folder, { throwIfNoEntry: false });
  if (!found) return false;
  if (found.isDirectory() && found.uid === process.getuid?.()) return true;
  throw new Error(`${folder} is not a folder of yours. Remove it, or name another folder in DOCENT_UNPACK_DIR.`);
}

function cacheFolder() {
  const named = process.env.XDG_CACHE_HOME;
  return named && path.isAbsolute(named) ? named : path.join(os.homedir(), ".cache");
}

/**
 * Makes the folder and answers with its real path. Whoever may write there, or put another folder in its place, decides what runs.
 * @param {string} folder
 */
function makeOwnFolder(folder) {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new Error(`${messageOf(error)}. DOCENT_UNPACK_DIR names another folder to unpack into.`, { cause: error });
  }
  // Links are followed once, so that nobody turns one round between the look and the start.
  const real = fs.realpathSync(folder);
  const above = path.dirname(real);
  if (isSafe(real, { mayBeOfRoot: false }) && isSafeUpTo(above)) return real;
  throw new Error(
    `${real} can be written by others, or a folder above it can, who could change the program. Make it yours alone (chmod 700), or name another folder in DOCENT_UNPACK_DIR.`,
  );
}

/**
 * Whether nobody else may rename what is in these folders.
 * @param {string} folder
 * @returns {boolean}
 */
function isSafeUpTo(folder) {
  const parent = path.dirname(folder);
  return isSafe(folder, { mayBeOfRoot: true }) && (parent === folder || isSafeUpTo(parent));
}

/**
 * @param {string} folder
 * @param {{ mayBeOfRoot: boolean }} options
 */
function isSafe(folder, { mayBeOfRoot }) {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  const { uid: owner, gid: group, mode } = fs.lstatSync(folder);
  if (owner !== uid && !(mayBeOfRoot && owner === 0)) return false;
  // In a sticky folder, such as /tmp, only owners rename; a group with the user's own number is the user's alone.
  const isOnlyMine = (mode & 0o002) === 0 && ((mode & 0o020) === 0 || (group === gid && gid === uid));
  return isOnlyMine || (mayBeOfRoot && (mode & 0o1000) !== 0);
}

/**
 * The archive of `archive.ts`: length and JSON of its index, then the bytes of each file.
 * @param {string} folder
 */
function unpack(folder) {
  const archive = zstdDecompressSync(Buffer.from(sea.getRawAsset("files")));
  const start = 4 + archive.readUInt32LE(0);
  let at = start;
  const index = /** @type {{ name: string; mode: number; size: number }[]} */ (
    JSON.parse(archive.toString("utf8", 4, start))
  );
  for (const { name, mode, size } of index) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    fs.writeFileSync(file, archive.subarray(at, at + size), { mode });
    at += size;
  }
  const node = fs.readFileSync(process.execPath);
  const fuse = node.indexOf(FUSE);
  if (fuse < 0) throw new Error("this executable was changed after it was built");
  // A Node like any other again.
  node[fuse + FUSE.length - 1] = "0".charCodeAt(0);
  fs.writeFileSync(path.join(folder, "node"), node, { mode: 0o755 });
}
