// Files that grant access and that no documentation needs: matched by name, in any folder, case-insensitively.
const CREDENTIAL_FILES: readonly RegExp[] = [
  // Settings of an environment.
  /^\.env|\.env$|^\.dev\.vars|^env\.(?:local|production|staging|development)$/,
  // Keys, certificates with keys, and stores of them.
  /\.(?:pem|key|keys|p8|p12|pfx|pkcs12|der|jks|bks|keystore|truststore|keytab|kdbx?|ppk|gpg|pgp|asc|age|agekey|ovpn|mobileprovision)$/,
  /^(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|ssh_host_.*_key|master\.key|private[-_.]?key.*|wallet\.dat|known_hosts|authorized_keys)$/,
  // Passwords and tokens of package managers, databases, registries and clouds.
  /^[._]?(?:npmrc|yarnrc(?:\.yml)?|pypirc|netrc|pgpass|my\.cnf|git-credentials|htpasswd|dockercfg|dockerconfigjson|s3cfg|boto|terraformrc|vault-token|vault_pass.*|gemrc|curlrc|wgetrc|rclone\.conf|credentials|mysql_history|psql_history|bash_history|zsh_history)$/,
  /^(?:.*[-_.])?(?:credentials?|secrets?|client[-_]secrets?|service[-_]?accounts?|passwords?|htpasswd)(?:[-_.].*)?\.(?:json|ya?ml|toml|ini|cfg|conf|xml|csv|txt|properties|plist|enc|env)$/,
  /^(?:service[-_]?account[-_]?keys?|firebase[-_]?adminsdk.*|.*[-_]firebase[-_]adminsdk.*|appsettings(?:\..+)?|local\.settings)\.json$/,
  /^(?:wp-config.*\.php|database\.ya?ml|local_settings\.py|settings\.local\..+)$/,
  /^(?:kubeconfig.*|.*\.kubeconfig|auth\.json|google-services\.json|.*\.tfvars(?:\.json)?|.*\.tfstate(?:\..*)?|terraform\.rc)$/,
];
const CREDENTIAL_FOLDERS = /^\.(?:ssh|aws|azure|gnupg|kube|docker|gcloud|config|terraform|vault)$/;
/** Suffixes that editors and careful people add to the name of a backup. */
const ASIDE = /(?:~|\.(?:bak|backup|old|orig|save|copy|swp|tmp|\d{1,3})){1,3}$/;
const PAGE = /\.(?:md|mdx|markdown)$/i;

/**
 * Whether a file is of a kind that holds credentials, by its name. The agent does not read such files, and sites and previews
 * do not serve them. Pages never match, even those about credentials. This is the only place that decides.
 */
export function holdsCredentials(path: string): boolean {
  const segments = path.normalize("NFKC").toLowerCase().split("/");
  const file = (segments.pop() ?? "").replace(ASIDE, "");
  if (segments.some((segment) => CREDENTIAL_FOLDERS.test(segment))) return true;
  if (PAGE.test(file) && !file.startsWith(".")) return false;
  return CREDENTIAL_FILES.some((pattern) => pattern.test(file));
}
