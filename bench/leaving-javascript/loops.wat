;; The loops of loops.cjs in WebAssembly. `measure.js` compiles this.
(module
  (memory (export "memory") 32)

  (func (export "compute") (param $end i32) (result i32)
    (local $n i32)
    (local $sum i32)
    (loop $next
      (if (i32.lt_s (local.get $n) (local.get $end))
        (then
          (local.set $sum (i32.add (i32.mul (local.get $sum) (i32.const 31)) (local.get $n)))
          (local.set $n (i32.add (local.get $n) (i32.const 1)))
          (br $next))))
    (local.get $sum))

  (func (export "checksum") (param $end i32) (result i32)
    (local $n i32)
    (local $sum i32)
    (loop $next
      (if (i32.lt_s (local.get $n) (local.get $end))
        (then
          (local.set $sum (i32.add (i32.mul (local.get $sum) (i32.const 31)) (i32.load8_u (local.get $n))))
          (local.set $n (i32.add (local.get $n) (i32.const 1)))
          (br $next))))
    (local.get $sum))

  ;; FNV-1a with 64 bits; the halves of the hash are combined.
  (func (export "hash64") (param $end i32) (result i32)
    (local $n i32)
    (local $hash i64)
    (local.set $hash (i64.const 0xcbf29ce484222325))
    (loop $next
      (if (i32.lt_s (local.get $n) (local.get $end))
        (then
          (local.set $hash
            (i64.mul (i64.xor (local.get $hash) (i64.load8_u (local.get $n))) (i64.const 0x100000001b3)))
          (local.set $n (i32.add (local.get $n) (i32.const 1)))
          (br $next))))
    (i32.wrap_i64 (i64.xor (local.get $hash) (i64.shr_u (local.get $hash) (i64.const 32))))))
