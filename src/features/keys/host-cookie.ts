import { parse } from "hono/utils/cookie";

/** A cookie of the dashboard. `isSecure`: whether the public URL is https; behind a proxy that ends TLS, the connection is not. */
export function hostCookie(plainName: string, isSecure: () => boolean) {
  // With https, the prefix prevents other hosts of the domain, such as sites of projects, from setting the cookie.
  const name = () => (isSecure() ? `__Host-${plainName}` : plainName);
  return {
    /** A `Set-Cookie` value; 0 seconds delete the cookie. */
    set: (value: string, maxAgeSeconds: number): string =>
      `${name()}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${isSecure() ? "; Secure" : ""}`,
    /** The value in a `Cookie` header; empty without one. */
    read: (header: string | null | undefined): string => parse(header ?? "", name())[name()] ?? "",
  };
}
