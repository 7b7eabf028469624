import type { ObjectId } from "#git/objects/objects.ts";
import type { Repository } from "#git/process/runner.ts";

/** Files that a site and its agent read all the time, most important first. */
const NEEDED: readonly RegExp[] = [
  /\.(?:mdx?|markdown)$|(?:^|\/)(?:docs|mint)\.json$|(?:^|\/)(?:logo|favicon)[^/]*$/i,
  /\.(?:jsonc?|ya?ml|toml|txt|css|svg|html?|xml|csv)$|(?:^|\/)[A-Z]+$|(?:^|\/)\.[a-z]+(?:ignore|attributes|rc)$/,
  /\.(?:[cm]?[jt]sx?|vue|svelte|graphql|gql|proto|sh|py|rb|go|rs|java|kt|swift|php|cs|sql)$/i,
];
/** The largest documentation repository known to us has 26,000 files, most of them images and pages in other languages. */
const MAX_FETCHED_AHEAD = 20_000;
const MAX_LISTING_BYTES = 64 * 1024 * 1024;
const MEDIA =
  /\.(?:png|jpe?g|gif|webp|avif|bmp|ico|tiff?|psd|mp4|webm|mov|avi|mkv|ogv|mp3|ogg|wav|m4a|flac|woff2?|ttf|otf|eot|pdf|zip|gz|tgz|bz2|xz|zst|7z|rar|jar|wasm|exe|dll|so|dylib|bin|dat|parquet|db|sqlite|docx?|xlsx?|pptx?)$/i;

/** Whether a file's name says that it has no text to search. Such a file is fetched alone, on demand. */
export const isMedia = (path: string): boolean => MEDIA.test(path);

/** Distinct blobs of a commit that its site needs, most important first, at most 20,000. */
export async function blobsToFetchAhead(repository: Repository, commit: ObjectId): Promise<ObjectId[]> {
  const { stdout } = await repository.run({
    args: ["ls-tree", "-r", "-z", "--full-tree", "--end-of-options", commit],
    maxOutputBytes: MAX_LISTING_BYTES,
  });
  const wanted: Set<ObjectId>[] = NEEDED.map(() => new Set());
  for (const line of stdout.toString("utf8").split("\0")) {
    const tab = line.indexOf("\t");
    const [mode = "", , oid = ""] = line.slice(0, tab).split(" ");
    if (tab === -1 || !mode.startsWith("100")) continue;
    const path = line.slice(tab + 1);
    wanted[NEEDED.findIndex((names) => names.test(path))]?.add(oid);
  }
  return [...new Set(wanted.flatMap((oids) => [...oids]))].slice(0, MAX_FETCHED_AHEAD);
}
