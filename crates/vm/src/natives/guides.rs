//! Which calls does an exploration look at first, where something is unknown?
//!
//! A model of this file gets the arguments as they are, references that are not decided among them, and mostly leaves the call to the method's
//! own code.

use super::{Call, Exit, Models, Native};
use crate::interp::tables::Placing;
use crate::program::{Assembler, Class, Method, Op, Program, SyntheticClass, SyntheticMethod, access};
use crate::value::{ObjId, Value};

/// Models that an exploration asks first.
pub(super) const MODELS: &[Models] = &[
    (
        "java/util/HashMap",
        &[
            ("hash(Ljava/lang/Object;)I", hash),
            ("treeifyBin([Ljava/util/HashMap$Node;I)V", treeify),
            ("forEach(Ljava/util/function/BiConsumer;)V", walk),
            ("replaceAll(Ljava/util/function/BiFunction;)V", walk),
            ("keysToArray([Ljava/lang/Object;)[Ljava/lang/Object;", walk),
            ("valuesToArray([Ljava/lang/Object;)[Ljava/lang/Object;", walk),
            ("internalWriteEntries(Ljava/io/ObjectOutputStream;)V", walk),
        ],
    ),
    ("java/util/HashMap$Node", &[("<init>(ILjava/lang/Object;Ljava/lang/Object;Ljava/util/HashMap$Node;)V", new_node)]),
    ("java/util/HashMap$KeySet", &[("forEach(Ljava/util/function/Consumer;)V", walk)]),
    ("java/util/HashMap$Values", &[("forEach(Ljava/util/function/Consumer;)V", walk)]),
    ("java/util/HashMap$EntrySet", &[("forEach(Ljava/util/function/Consumer;)V", walk)]),
    ("java/util/HashMap$HashIterator", &[("<init>(Ljava/util/HashMap;)V", walk)]),
    ("java/util/HashMap$KeySpliterator", SPLITERATOR),
    ("java/util/HashMap$ValueSpliterator", SPLITERATOR),
    ("java/util/HashMap$EntrySpliterator", SPLITERATOR),
    (PLACES, &[("place(ILjava/lang/Object;Ljava/lang/Object;I)I", place)]),
    ("java/lang/String", &[("equals(Ljava/lang/Object;)Z", equal_texts)]),
    ("java/lang/Integer", &[("valueOf(I)Ljava/lang/Integer;", boxed)]),
    ("java/lang/Long", &[("valueOf(J)Ljava/lang/Long;", boxed)]),
    ("java/lang/Short", &[("valueOf(S)Ljava/lang/Short;", boxed)]),
    ("java/lang/Character", &[("valueOf(C)Ljava/lang/Character;", boxed)]),
];

/// A stream over a table looks at it when it begins.
const SPLITERATOR: &[(&str, Native)] =
    &[("forEachRemaining(Ljava/util/function/Consumer;)V", walk), ("tryAdvance(Ljava/util/function/Consumer;)Z", walk)];

/// The class of the glue that runs `hashCode` and then finds a place.
const PLACES: &str = "java/util/HashMap$$Places";

fn hash(call: &mut Call) -> Result<Value, Exit> {
    let key = call.arguments[0];
    match call.vm.place_key(call.state, key)? {
        Placing::OwnCode => Err(Exit::OwnCode),
        Placing::Number(number) => Ok(number),
        Placing::ByCode { map, is_added } => {
            let arguments = [key, map.into(), Value::bool(is_added)];
            let method = glue(&call.vm.program, call.method.class());
            call.hand_over(method, &arguments)
        }
    }
}

/// `static int of(Object key, Object map, int isAdded) { return place(key.hashCode(), key, map, isAdded); }`
fn glue(program: &Program, host: &'static Class) -> &'static Method {
    let define = |name: &str, method: &'static str, descriptor: &str, access, code| {
        let methods = vec![SyntheticMethod { name: method, descriptor: descriptor.to_string(), access, code }];
        let (interfaces, fields) = (Vec::new(), Vec::new());
        let class = SyntheticClass { name: name.to_string(), host, interfaces, fields, methods };
        program.define_synthetic(class).methods[0]
    };
    program.placing.get_or_init(|| {
        let signature = "(ILjava/lang/Object;Ljava/lang/Object;I)I";
        let empty = Assembler::default().finish(4, 1);
        let place = define(PLACES, "place", signature, access::STATIC | access::NATIVE, empty);
        let hash_code = program.known().object.own_method("hashCode", "()I").expect("every object has a hash code");
        let mut assembler = Assembler::default();
        assembler.load(0).call_virtual(hash_code).load(0).load(1).load(2).call_static(place).op(Op::ReturnValue);
        let code = assembler.finish(3, 4);
        define("java/util/HashMap$$Keys", "of", "(Ljava/lang/Object;Ljava/lang/Object;I)I", access::STATIC, code)
    })
}

fn place(call: &mut Call) -> Result<Value, Exit> {
    let (hash, key, is_added) = (call.arguments[0], call.arguments[1], call.bool(3));
    let map = call.object(2)?;
    Ok(call.vm.place_code(call.state, map, key, hash, is_added)?)
}

fn treeify(call: &mut Call) -> Result<Value, Exit> {
    let map = call.this();
    if call.vm.keeps_chain(call.state, map)? { Ok(Value::Top) } else { Err(Exit::OwnCode) }
}

fn walk(call: &mut Call) -> Result<Value, Exit> {
    // An iterator that is on its way keeps the order in which it began.
    let class = call.state.heap.class(call.this());
    let current = class.field("current").map(|field| call.state.heap.field(call.this(), field.slot as usize));
    if current.and_then(Value::object).is_some() {
        return Err(Exit::OwnCode);
    }
    call.vm.order_table(call.state, call.arguments)?;
    Err(Exit::OwnCode)
}

fn new_node(call: &mut Call) -> Result<Value, Exit> {
    call.vm.note_node(call.state, call.this(), call.arguments[1], call.arguments[2]);
    Err(Exit::OwnCode)
}

/// Two strings are equal or not: it does not matter where they differ.
fn equal_texts(call: &mut Call) -> Result<Value, Exit> {
    let (this, other) = (call.this(), call.settled(call.arguments[1])?);
    let Some(other) = other.object() else { return Ok(Value::bool(false)) };
    let is_known = |object: ObjId| call.vm.is_plain(call.state, object.into());
    if is_known(this) && is_known(other) {
        return Err(Exit::OwnCode);
    }
    if !call.has_type(other, call.vm.program.known().string)? {
        return Ok(Value::bool(false));
    }
    if this == other {
        return Ok(Value::bool(true));
    }
    match call.vm.equal_texts(call.state, this, other) {
        Some(equal) => Ok(Value::bool(call.vm.decide(call.state, equal)?)),
        None => match call.vm.equal_untold(call.state, this, other) {
            Some(equal) => Ok(Value::bool(call.vm.decide(call.state, equal)?)),
            None => Err(Exit::OwnCode),
        },
    }
}

/// Whether the box of an unknown number is one of the cached objects is decided where its identity matters.
fn boxed(call: &mut Call) -> Result<Value, Exit> {
    let class = call.method.class();
    let simple = class.name.rsplit('/').next().unwrap_or_default();
    let Value::Term(..) = call.arguments[0] else { return Err(Exit::OwnCode) };
    let cache = call.load(&format!("{}${simple}Cache", class.name))?;
    call.initialised(cache)?;
    match call.vm.new_box(call.state, class, call.arguments[0]) {
        Some(object) => Ok(object.into()),
        None => Err(Exit::OwnCode),
    }
}
