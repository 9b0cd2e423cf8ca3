//! How long does it take to fork a state? `cargo bench --bench fork`.
//!
//! The state is the one in which a program starts (with all objects that the JDK has made by then), plus 200 objects and
//! 20 frames. Measured alone, and with ten field updates after the fork, which is when shared contents are copied.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use lazuli_classfile::{ClassPath, Jdk};
use lazuli_vm::boot;
use lazuli_vm::frame::{Frame, Purpose};
use lazuli_vm::host::Silent;
use lazuli_vm::interp::{Limits, Vm};
use lazuli_vm::program::Program;
use lazuli_vm::state::State;
use lazuli_vm::value::{ObjId, Value};

fn prepared() -> (State, Vec<ObjId>) {
    let path = ClassPath::open(Jdk::locate().expect("a JDK is installed"), &[]).expect("an empty class path opens");
    let program = Arc::new(Program::open(path).expect("the JDK is complete"));
    let mut vm = Vm::new(program.clone(), Box::new(Silent::default()), Limits::default());
    let mut state = State::default();
    boot::boot(&mut vm, &mut state).expect("the virtual machine starts");
    let class = program.load("java/util/TreeMap$Entry").expect("java.util is there");
    let objects: Vec<ObjId> = (0..200).map(|_| state.heap.allocate(class)).collect();
    let treemap = program.load("java/util/TreeMap").expect("java.util is there");
    let signature = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
    let method = treemap.own_method("put", signature).expect("TreeMap has put");
    let code = program.code(method).expect("put has a body");
    for depth in 0..20 {
        let base = depth * code.registers;
        state.thread.stack.resize((base + code.registers) as usize, Value::Int(7));
        let frame = Frame { method, code, base, pc: 0, sp: code.locals, purpose: Purpose::Call, synchronized: None };
        state.thread.frames.push(frame);
    }
    (state, objects)
}

fn fork(criterion: &mut Criterion) {
    let (state, objects) = prepared();
    println!("objects in the heap: {}", state.heap.count());
    criterion.bench_function("fork", |bencher| bencher.iter(|| black_box(state.fork())));
    criterion.bench_function("fork and ten updates", |bencher| {
        bencher.iter(|| {
            let mut forked = state.fork();
            for object in objects.iter().step_by(20) {
                forked.heap.set_field(*object, 0, Value::NULL);
            }
            black_box(forked)
        })
    });
}

criterion_group!(benches, fork);
criterion_main!(benches);
