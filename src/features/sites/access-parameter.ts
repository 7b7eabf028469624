/** The parameter of an address that carries a token of a private site. */
export const ACCESS_PARAMETER = "access";
