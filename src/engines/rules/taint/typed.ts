/** What a declared type says about the value in it. */
import { asNumber, type Value } from "./value.ts";

/** Types whose values can do no harm whatever they are. */
const harmlessTypes =
  /^(byte|short|int|long|float|double|boolean|bool|Byte|Short|Integer|Long|Float|Double|Boolean|BigInteger|BigDecimal|UUID|uuid\.UUID|Decimal|decimal\.Decimal|LocalDate|LocalDateTime|Instant|Date|datetime|date|number|bigint|u?int(8|16|32|64)?|float(32|64)|Pageable|HttpStatus)$/;

/** The value in a variable of the type. */
export function typed(value: Value, type: string | null): Value {
  if (type === null) return value;
  if (harmlessTypes.test(type)) {
    return { ...value, taints: asNumber(value).taints, names: [type] };
  }
  if (anyType.test(type) || value.names.includes(type)) return value;
  // What was made as a class is that, whatever the variable is declared as: `Random r = new SecureRandom()`.
  const isMade = value.names.some((name) => /^[A-Z]\w*$/.test(name));
  return isMade ? value : { ...value, names: [type, ...value.names] };
}

const anyType = /^(var|Object|String|auto|any|unknown|string|str|dict|list|List|Map|Any|mixed|array)$/;
