const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
function mix(hash) {
    let value = hash;
    value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
    value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
    return (value ^ (value >>> 16)) >>> 0;
}
/** A 128-bit hash of a text as four 32-bit words. It names things; it is no protection against an attacker. */
function hash128(text) {
    let a = 0x9e3779b9;
    let b = 0x243f6a88;
    let c = 0xb7e15162;
    let d = 0xdeadbeef;
    for (let index = 0; index < text.length; index++) {
        const unit = text.charCodeAt(index);
        a = b ^ Math.imul(a ^ unit, 0x239b961b);
        b = c ^ Math.imul(b ^ unit, 0xab0e9789);
        c = d ^ Math.imul(c ^ unit, 0x38b34ae5);
        d = a ^ Math.imul(d ^ unit, 0xa1e38b93);
    }
    a = mix(a ^ text.length);
    b = mix(b ^ a);
    c = mix(c ^ b);
    d = mix(d ^ c);
    a = mix(a ^ d);
    return [BigInt(a), BigInt(b), BigInt(c), BigInt(d)];
}
/** A name of 22 base-62 digits (128 bits) that depends on nothing but the text. */
export function hashName(text) {
    const [a, b, c, d] = hash128(text);
    let value = (a << 96n) | (b << 64n) | (c << 32n) | d;
    let name = "";
    for (let place = 0; place < 22; place++) {
        name = digits[Number(value % 62n)] + name;
        value /= 62n;
    }
    return name;
}
//# sourceMappingURL=hash.js.map