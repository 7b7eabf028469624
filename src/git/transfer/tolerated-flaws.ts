/** Flaws (git-fsck(1), fsck.<msg-id>) of old but legitimate repositories; none lets a file escape or a command run. */
export const TOLERATED_FLAWS: readonly string[] = `
  zeroPaddedFilemode missingSpaceBeforeEmail missingSpaceBeforeDate missingEmail badEmail badName
  missingNameBeforeEmail badDate badDateOverflow badTimezone missingAuthor multipleAuthors
  zeroPaddedDate nulInCommit missingTaggerEntry badTagName treeNotSorted duplicateEntries
  gitmodulesParse gitmodulesMissing gitmodulesBlob gitmodulesLarge gitmodulesUrl gitmodulesPath
  gitmodulesName gitmodulesUpdate gitmodulesSymlink gitattributesLarge gitattributesLineLength
  gitattributesBlob gitattributesMissing
`
  .trim()
  .split(/\s+/);
