import * as fields from "structured-headers";

// RFC 8941. The package's own types name a type of browsers that is not known here, which makes all of them `any`.
export type FieldValue = string | number | boolean | object;
export type FieldParameters = Map<string, FieldValue>;
export type FieldItem = [value: FieldValue, parameters: FieldParameters];
export type FieldList = [items: FieldItem[], parameters: FieldParameters];

/** Throws for what is no dictionary. */
export function parseFieldDictionary(text: string): Map<string, FieldItem | FieldList> {
  return fields.parseDictionary(text) as Map<string, FieldItem | FieldList>;
}

/** Throws for what is no item. */
export function parseFieldItem(text: string): FieldItem {
  return fields.parseItem(text) as FieldItem;
}

export function isFieldList(member: FieldItem | FieldList): member is FieldList {
  return Array.isArray(member[0]);
}

/** In the one form that signatures are made of. */
export function fieldText(member: FieldItem | FieldList): string {
  return isFieldList(member)
    ? fields.serializeInnerList(member as fields.InnerList)
    : fields.serializeItem(member as fields.Item);
}
